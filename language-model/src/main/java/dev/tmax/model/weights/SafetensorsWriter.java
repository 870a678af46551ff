package dev.tmax.model.weights;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;

/** Writes safetensors files. */
public final class SafetensorsWriter {
    private static final int ALIGNMENT = 8;
    private static final long CHUNK = 1L << 30;

    private SafetensorsWriter() {}

    /**
     * Writes tensors in the given order without gaps, and forces them to disk.
     *
     * @param metadata free text, such as {@code format: pt} for transformers
     */
    public static void write(Path file, List<NamedTensor> tensors, Map<String, String> metadata) {
        byte[] header = header(tensors, metadata);
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            write(channel, ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, header.length));
            write(channel, ByteBuffer.wrap(header));
            for (NamedTensor tensor : tensors) {
                write(channel, tensor.data());
            }
            channel.force(true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] header(List<NamedTensor> tensors, Map<String, String> metadata) {
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode json = mapper.createObjectNode();
        if (!metadata.isEmpty()) {
            json.set("__metadata__", mapper.valueToTree(metadata));
        }
        long offset = 0;
        for (NamedTensor tensor : tensors) {
            long end = offset + tensor.data().byteSize();
            ObjectNode entry = json.putObject(tensor.name());
            entry.put("dtype", tensor.type().name());
            entry.set("shape", mapper.valueToTree(tensor.shape()));
            entry.putArray("data_offsets").add(offset).add(end);
            offset = end;
        }
        String text = json.toString();
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        return (text + " ".repeat(Math.floorMod(-bytes, ALIGNMENT))).getBytes(StandardCharsets.UTF_8);
    }

    private static void write(FileChannel channel, MemorySegment data) throws IOException {
        for (long from = 0; from < data.byteSize(); from += CHUNK) {
            write(
                    channel,
                    data.asSlice(from, Math.min(CHUNK, data.byteSize() - from)).asByteBuffer());
        }
    }

    private static void write(FileChannel channel, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }
}
