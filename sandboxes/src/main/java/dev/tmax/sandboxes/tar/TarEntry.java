package dev.tmax.sandboxes.tar;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * An entry of a tar archive.
 *
 * @param name as in the header, at most 100 bytes of it
 * @param type as in the header: {@code 0} a regular file, {@code 2} a link, {@code 5} a folder, {@code 6} a FIFO
 * @param size of the content, as the header says
 * @param content what of it is in the archive
 */
public record TarEntry(String name, char type, long size, byte[] content) {

    private static final int BLOCK = 512;
    private static final int NAME = 100;

    public boolean isRegularFile() {
        return type == '0' || type == 0;
    }

    /** What the entry is, in words. */
    public String kind() {
        return switch (type) {
            case '0', 0 -> "a regular file";
            case '1' -> "a hard link";
            case '2' -> "a symbolic link";
            case '3', '4' -> "a device";
            case '5' -> "a folder";
            case '6' -> "a FIFO";
            default -> "of tar type '" + type + "'";
        };
    }

    /** The entries of an archive, in order; a damaged rest, or one cut short, is left out. */
    public static List<TarEntry> all(byte[] archive) {
        List<TarEntry> entries = new ArrayList<>();
        long at = 0;
        while (at + BLOCK <= archive.length && archive[(int) at] != 0) {
            Optional<TarEntry> entry = at(archive, (int) at);
            if (entry.isEmpty()) {
                break;
            }
            entries.add(entry.get());
            at += BLOCK + entry.get().paddedSize();
        }
        return entries;
    }

    /** Bytes that the content takes in the archive. */
    long paddedSize() {
        return (size + BLOCK - 1) / BLOCK * BLOCK;
    }

    /** The entry whose header is at this offset; empty where it is damaged. */
    static Optional<TarEntry> at(byte[] archive, int offset) {
        if (archive.length < offset + BLOCK) {
            return Optional.empty();
        }
        return size(archive, offset).map(size -> {
            int end = (int) Math.min(archive.length, offset + BLOCK + size);
            return new TarEntry(
                    name(archive, offset),
                    (char) (archive[offset + 156] & 0xff),
                    size,
                    Arrays.copyOfRange(archive, offset + BLOCK, end));
        });
    }

    private static Optional<Long> size(byte[] archive, int offset) {
        if ((archive[offset + 124] & 0x80) != 0) {
            // Base-256: larger than 8 GiB.
            return Optional.of(Long.MAX_VALUE / 2);
        }
        String octal = new String(archive, offset + 124, 12, StandardCharsets.US_ASCII)
                .replace('\0', ' ')
                .strip();
        try {
            return Optional.of(octal.isEmpty() ? 0L : Long.parseLong(octal, 8));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static String name(byte[] archive, int offset) {
        int end = offset;
        while (end < offset + NAME && archive[end] != 0) {
            end++;
        }
        return new String(archive, offset, end - offset, StandardCharsets.UTF_8);
    }
}
