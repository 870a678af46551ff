package dev.tmax.model.torch;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** The zip that libtorch loads a script from: a class {@code M} without parameters, and its source. */
final class ScriptArchive {
    /** Pickle of an empty tuple. */
    private static final byte[] CONSTANTS = {(byte) 0x80, 2, ')', '.'};

    private ScriptArchive() {}

    static byte[] of(String methods) {
        String source = "class M(Module):\n  __parameters__ = []\n  __buffers__ = []\n  training : bool\n" + methods;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            entry(zip, "m/version", "10\n".getBytes(StandardCharsets.US_ASCII));
            entry(zip, "m/byteorder", "little".getBytes(StandardCharsets.US_ASCII));
            entry(zip, "m/constants.pkl", CONSTANTS);
            entry(zip, "m/data.pkl", module());
            entry(zip, "m/code/__torch__.py", source.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** Pickle of an instance of M whose one attribute, {@code training}, is false. */
    private static byte[] module() throws IOException {
        ByteArrayOutputStream pickle = new ByteArrayOutputStream();
        pickle.write(new byte[] {(byte) 0x80, 2});
        pickle.write("c__torch__\nM\n".getBytes(StandardCharsets.US_ASCII));
        pickle.write(new byte[] {')', (byte) 0x81, '}', '('});
        byte[] attribute = "training".getBytes(StandardCharsets.US_ASCII);
        pickle.write(new byte[] {'X', (byte) attribute.length, 0, 0, 0});
        pickle.write(attribute);
        pickle.write(new byte[] {(byte) 0x89, 'u', 'b', '.'});
        return pickle.toByteArray();
    }

    /** libtorch maps entries, so they are stored, not deflated. */
    private static void entry(ZipOutputStream zip, String name, byte[] data) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        entry.setMethod(ZipEntry.STORED);
        entry.setSize(data.length);
        CRC32 checksum = new CRC32();
        checksum.update(data);
        entry.setCrc(checksum.getValue());
        zip.putNextEntry(entry);
        zip.write(data);
        zip.closeEntry();
    }
}
