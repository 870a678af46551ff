package dev.tmax.model.gguf;

import dev.tmax.model.ModelFormatException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A GGUF file (versions 2 and 3), memory-mapped: metadata and quantised tensors. */
final class GgufFile {
    private static final int MAGIC = 0x46554747;
    private static final long DEFAULT_ALIGNMENT = 32;

    /**
     * One tensor.
     *
     * @param shape sizes, outermost first (the file has them innermost first)
     */
    record Tensor(String name, List<Long> shape, Quantization quantization, MemorySegment data) {
        long elements() {
            return shape.stream().reduce(1L, Math::multiplyExact);
        }
    }

    private final Path path;
    private final Map<String, Object> metadata;
    private final Map<String, Tensor> tensors;

    private GgufFile(Path path, Map<String, Object> metadata, Map<String, Tensor> tensors) {
        this.path = path;
        this.metadata = metadata;
        this.tensors = tensors;
    }

    static GgufFile open(Path path) {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            MemorySegment bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), Arena.ofAuto());
            return read(path, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (IndexOutOfBoundsException e) {
            throw new ModelFormatException(path, "truncated; copy or download it again", e);
        }
    }

    private record Header(String name, List<Long> shape, Quantization quantization, long offset) {}

    private static GgufFile read(Path path, MemorySegment bytes) {
        GgufReader reader = new GgufReader(path, bytes);
        if (reader.int32() != MAGIC) {
            throw new ModelFormatException(path, "does not begin with GGUF; give a GGUF file");
        }
        int version = reader.int32();
        if (version != 2 && version != 3) {
            throw new ModelFormatException(path, "GGUF version " + version + " is not supported; supported are 2, 3");
        }
        long tensorCount = reader.int64();
        long valueCount = reader.int64();
        Map<String, Object> metadata = new LinkedHashMap<>();
        for (long i = 0; i < valueCount; i++) {
            metadata.put(reader.string(), reader.typedValue());
        }
        List<Header> headers = new ArrayList<>();
        for (long i = 0; i < tensorCount; i++) {
            headers.add(header(path, reader));
        }
        long alignment = metadata.get("general.alignment") instanceof Number n ? n.longValue() : DEFAULT_ALIGNMENT;
        long start = Math.ceilDiv(reader.position(), alignment) * alignment;
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        for (Header header : headers) {
            tensors.put(header.name, tensor(path, bytes, start, header));
        }
        return new GgufFile(path, metadata, tensors);
    }

    private static Header header(Path path, GgufReader reader) {
        String name = reader.string();
        int dimensions = reader.int32();
        List<Long> shape = new ArrayList<>();
        for (int d = 0; d < dimensions; d++) {
            shape.add(reader.int64());
        }
        Collections.reverse(shape);
        return new Header(name, shape, Quantization.numbered(path, name, reader.int32()), reader.int64());
    }

    private static Tensor tensor(Path path, MemorySegment bytes, long start, Header header) {
        long elements = header.shape.stream().reduce(1L, Math::multiplyExact);
        if (!header.shape.isEmpty() && header.shape.getLast() % header.quantization.blockElements() != 0) {
            throw new ModelFormatException(
                    path,
                    "tensor " + header.name + ": shape " + header.shape + "; expected rows of whole blocks of "
                            + header.quantization.blockElements() + " in " + header.quantization);
        }
        long size = header.quantization.bytes(elements);
        long from = start + header.offset;
        if (from + size > bytes.byteSize()) {
            throw new ModelFormatException(
                    path,
                    "tensor " + header.name + ": ends at byte " + (from + size) + ", but the file has "
                            + bytes.byteSize() + ": truncated; copy or download it again");
        }
        return new Tensor(header.name, header.shape, header.quantization, bytes.asSlice(from, size));
    }

    Path path() {
        return path;
    }

    boolean hasTensor(String name) {
        return tensors.containsKey(name);
    }

    Tensor tensor(String name) {
        Tensor tensor = tensors.get(name);
        if (tensor == null) {
            throw new ModelFormatException(path, "tensor " + name + ": missing");
        }
        return tensor;
    }

    boolean has(String key) {
        return metadata.containsKey(key);
    }

    /** A metadata value of a type; numbers of any width count as {@link Number}. */
    <T> T value(String key, Class<T> type) {
        Object value = metadata.get(key);
        if (!type.isInstance(value)) {
            throw new ModelFormatException(
                    path, key + ": " + (value == null ? "missing" : value) + "; expected " + type.getSimpleName());
        }
        return type.cast(value);
    }

    int integer(String key) {
        return value(key, Number.class).intValue();
    }

    @SuppressWarnings("unchecked")
    <T> List<T> list(String key, Class<T> type) {
        List<?> list = value(key, List.class);
        if (!list.stream().allMatch(type::isInstance)) {
            throw new ModelFormatException(path, key + ": expected a list of " + type.getSimpleName());
        }
        return (List<T>) list;
    }
}
