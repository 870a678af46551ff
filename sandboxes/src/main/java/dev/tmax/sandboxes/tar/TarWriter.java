package dev.tmax.sandboxes.tar;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Writes a tar archive (ustar, GNU long names) with root as owner and no times, so that equal content gives equal bytes. */
public final class TarWriter {

    private static final int BLOCK = 512;
    private static final int NAME = 100;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /** A folder's content, sorted by path; symbolic links are stored as links. */
    public static byte[] ofFolder(Path folder) throws IOException {
        TarWriter tar = new TarWriter();
        List<Path> paths;
        try (Stream<Path> walk = Files.walk(folder)) {
            paths = walk.filter(path -> !path.equals(folder)).sorted().toList();
        }
        for (Path path : paths) {
            String name = folder.relativize(path).toString();
            if (Files.isSymbolicLink(path)) {
                tar.link(name, Files.readSymbolicLink(path).toString());
            } else if (Files.isDirectory(path)) {
                tar.folder(name, 0755);
            } else {
                tar.file(name, Files.isExecutable(path) ? 0755 : 0644, Files.readAllBytes(path));
            }
        }
        return tar.toByteArray();
    }

    public TarWriter folder(String name, int mode) {
        entry(name.endsWith("/") ? name : name + "/", mode, 0, '5', "");
        return this;
    }

    public TarWriter file(String name, int mode, byte[] content) {
        entry(name, mode, content.length, '0', "");
        out.writeBytes(content);
        pad(content.length);
        return this;
    }

    public TarWriter link(String name, String target) {
        entry(name, 0777, 0, '2', target);
        return this;
    }

    /** The whole archive; more may be added afterwards. */
    public byte[] toByteArray() {
        ByteArrayOutputStream whole = new ByteArrayOutputStream(out.size() + 2 * BLOCK);
        whole.writeBytes(out.toByteArray());
        whole.writeBytes(new byte[2 * BLOCK]);
        return whole.toByteArray();
    }

    private void entry(String name, int mode, long size, char type, String linkTarget) {
        longName(linkTarget, 'K');
        longName(name, 'L');
        header(name, mode, size, type, linkTarget);
    }

    private void longName(String name, char type) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > NAME) {
            header("././@LongLink", 0644, bytes.length + 1, type, "");
            out.writeBytes(bytes);
            out.write(0);
            pad(bytes.length + 1);
        }
    }

    private void header(String name, int mode, long size, char type, String linkTarget) {
        byte[] header = new byte[BLOCK];
        text(header, 0, NAME, name);
        octal(header, 100, 8, mode);
        octal(header, 108, 8, 0);
        octal(header, 116, 8, 0);
        octal(header, 124, 12, size);
        octal(header, 136, 12, 0);
        header[156] = (byte) type;
        text(header, 157, NAME, linkTarget);
        text(header, 257, 8, "ustar  ");
        text(header, 265, 32, "root");
        text(header, 297, 32, "root");
        text(header, 148, 8, "        ");
        int sum = 0;
        for (byte b : header) {
            sum += b & 0xff;
        }
        octal(header, 148, 7, sum);
        out.writeBytes(header);
    }

    private static void text(byte[] header, int at, int length, String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(bytes, 0, header, at, Math.min(length, bytes.length));
    }

    private static void octal(byte[] header, int at, int length, long value) {
        String digits = Long.toOctalString(value);
        text(header, at, length - 1, "0".repeat(length - 1 - digits.length()) + digits);
        header[at + length - 1] = 0;
    }

    private void pad(long size) {
        out.writeBytes(new byte[(int) ((BLOCK - size % BLOCK) % BLOCK)]);
    }
}
