package dev.tmax.sandboxes.tar;

import java.nio.charset.StandardCharsets;

/** Changes permissions inside a tar archive. */
public final class TarModes {

    private static final int BLOCK = 512;

    private TarModes() {}

    /**
     * A copy of the archive in which the regular file of this name, at the archive's top, has mode 755.
     *
     * @throws IllegalArgumentException where the archive has no such file or is damaged
     */
    public static byte[] withExecutable(byte[] archive, String name) {
        byte[] copy = archive.clone();
        boolean found = false;
        for (int at = 0; at + BLOCK <= copy.length && copy[at] != 0; ) {
            TarEntry entry = TarEntry.at(copy, at)
                    .orElseThrow(() -> new IllegalArgumentException("the tar archive of the tests is damaged"));
            if (entry.isRegularFile()
                    && (entry.name().equals(name) || entry.name().equals("./" + name))) {
                setMode(copy, at);
                found = true;
            }
            long next = at + BLOCK + entry.paddedSize();
            if (next > copy.length) {
                throw new IllegalArgumentException("the tar archive of the tests is cut short");
            }
            at = (int) next;
        }
        if (!found) {
            throw new IllegalArgumentException("the tests have no file '" + name + "' at their top");
        }
        return copy;
    }

    private static void setMode(byte[] archive, int at) {
        put(archive, at + 100, "0000755\0");
        put(archive, at + 148, "        ");
        int sum = 0;
        for (int i = 0; i < BLOCK; i++) {
            sum += archive[at + i] & 0xff;
        }
        put(archive, at + 148, String.format("%06o\0 ", sum));
    }

    private static void put(byte[] archive, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, archive, at, bytes.length);
    }
}
