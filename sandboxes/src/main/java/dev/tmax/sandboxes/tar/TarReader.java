package dev.tmax.sandboxes.tar;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** Reads a tar archive from a stream, entry by entry (ustar, GNU long names, and the paths of pax headers). */
public final class TarReader {

    private static final int BLOCK = 512;
    private static final int LONGEST_NAME = 64 << 10;

    private final InputStream archive;
    private long left; // of the entry's content
    private long padding;

    /**
     * @param archive read as far as needed; closed by the caller
     */
    public TarReader(InputStream archive) {
        this.archive = archive;
    }

    /**
     * The head of an entry.
     *
     * @param name whole
     * @param type as in {@link TarEntry#type}
     * @param mode permissions
     * @param size of the content in bytes
     * @param linkTarget of a link
     */
    public record Head(String name, char type, int mode, long size, String linkTarget) {}

    /**
     * The next entry.
     *
     * @return empty at the end
     * @throws IOException where the archive is damaged or cut short
     */
    public Optional<Head> next() throws IOException {
        String longName = null;
        String longLink = null;
        while (true) {
            skip(left + padding);
            byte[] header = archive.readNBytes(BLOCK);
            if (header.length == 0 || header[0] == 0) {
                left = 0;
                padding = 0;
                return Optional.empty();
            }
            TarEntry entry = header.length == BLOCK
                    ? TarEntry.at(header, 0).orElseThrow(() -> new IOException("the tar archive is damaged"))
                    : cutShort();
            left = entry.size();
            padding = entry.paddedSize() - entry.size();
            switch (entry.type()) {
                case 'L' -> longName = text(text());
                case 'K' -> longLink = text(text());
                case 'x' -> {
                    PaxRecords pax = PaxRecords.of(text());
                    longName = pax.get("path").orElse(longName);
                    longLink = pax.get("linkpath").orElse(longLink);
                }
                case 'g' -> text();
                default -> {
                    return Optional.of(new Head(
                            longName != null ? longName : prefix(header) + entry.name(),
                            entry.type(),
                            mode(header),
                            entry.size(),
                            longLink != null ? longLink : text(Arrays.copyOfRange(header, 157, 257))));
                }
            }
        }
    }

    /** Content of the entry that was read last; valid until the next is. */
    public InputStream content() {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] buffer, int offset, int length) throws IOException {
                if (left == 0 && length > 0) {
                    return -1;
                }
                int n = archive.read(buffer, offset, (int) Math.min(left, length));
                if (n < 0) {
                    cutShort();
                }
                left -= n;
                return n;
            }
        };
    }

    private byte[] text() throws IOException {
        if (left > LONGEST_NAME) {
            throw new IOException("the tar archive has a name of " + left + " bytes");
        }
        int size = (int) left;
        byte[] bytes = archive.readNBytes(size);
        if (bytes.length < size) {
            cutShort();
        }
        left = 0;
        return bytes;
    }

    private void skip(long bytes) throws IOException {
        try {
            archive.skipNBytes(bytes);
        } catch (EOFException e) {
            cutShort();
        }
    }

    private static TarEntry cutShort() throws IOException {
        throw new EOFException("the tar archive is cut short");
    }

    /** Names of up to 255 bytes, in archives that say they are ustar and not GNU's. */
    private static String prefix(byte[] header) {
        String magic = new String(header, 257, 6, StandardCharsets.ISO_8859_1);
        String prefix = magic.equals("ustar\0") ? text(Arrays.copyOfRange(header, 345, 500)) : "";
        return prefix.isEmpty() ? "" : prefix + "/";
    }

    private static int mode(byte[] header) throws IOException {
        String octal = text(Arrays.copyOfRange(header, 100, 108)).strip();
        try {
            return octal.isEmpty() ? 0 : Integer.parseInt(octal, 8) & 07777;
        } catch (NumberFormatException e) {
            throw new IOException("the tar archive is damaged", e);
        }
    }

    private static String text(byte[] field) {
        int end = 0;
        while (end < field.length && field[end] != 0) {
            end++;
        }
        return new String(field, 0, end, StandardCharsets.UTF_8);
    }
}
