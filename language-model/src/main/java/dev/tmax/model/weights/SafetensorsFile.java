package dev.tmax.model.weights;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tmax.model.ModelFormatException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One safetensors file, memory-mapped: eight bytes of header length, a JSON header, then the tensors' bytes. The mapping
 * lives as long as anything refers to it.
 */
final class SafetensorsFile implements WeightSource {
    /** The limit of the reference implementation. */
    private static final long MAX_HEADER_BYTES = 100_000_000;

    private static final ValueLayout.OfLong LENGTH = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Map<String, NamedTensor> tensors;

    private SafetensorsFile(Map<String, NamedTensor> tensors) {
        this.tensors = tensors;
    }

    /**
     * Maps a file and checks its header against its size.
     *
     * @throws ModelFormatException if the file is truncated, or a tensor's type, shape or offsets do not add up
     */
    static SafetensorsFile open(Path file) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long size = channel.size();
            if (size < 8) {
                throw new ModelFormatException(
                        file, "truncated: " + size + " bytes, expected at least 8; copy or download it again");
            }
            MemorySegment bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, size, Arena.ofAuto());
            long header = bytes.get(LENGTH, 0);
            if (header < 2 || header > MAX_HEADER_BYTES || header > size - 8) {
                throw new ModelFormatException(
                        file,
                        "header length " + header + ", expected 2 to " + Math.min(MAX_HEADER_BYTES, size - 8)
                                + ": truncated, or not a safetensors file; copy or download it again");
            }
            return new SafetensorsFile(tensors(file, bytes, header));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, NamedTensor> tensors(Path file, MemorySegment bytes, long headerBytes) {
        String header =
                new String(bytes.asSlice(8, headerBytes).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
        MemorySegment data = bytes.asSlice(8 + headerBytes);
        List<Entry> entries = new ArrayList<>();
        for (Map.Entry<String, JsonNode> field : json(file, header).properties()) {
            if (!field.getKey().equals("__metadata__")) {
                entries.add(Entry.read(file, field.getKey(), field.getValue()));
            }
        }
        entries.sort(Comparator.comparingLong(Entry::begin).thenComparingLong(Entry::end));
        Map<String, NamedTensor> tensors = new LinkedHashMap<>();
        long next = 0;
        for (Entry entry : entries) {
            if (entry.begin < next) {
                throw entry.invalid(
                        file,
                        "data_offsets begin at " + entry.begin + ", inside the tensor before, which ends at " + next);
            }
            if (entry.end > data.byteSize()) {
                throw entry.invalid(
                        file,
                        "ends at byte " + entry.end + " of the data, but the file has only " + data.byteSize()
                                + ": truncated; copy or download it again");
            }
            tensors.put(
                    entry.name,
                    new NamedTensor(
                            entry.name, entry.type, entry.shape, data.asSlice(entry.begin, entry.end - entry.begin)));
            next = entry.end;
        }
        return tensors;
    }

    private static JsonNode json(Path file, String header) {
        try {
            JsonNode json = new ObjectMapper()
                    .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
                    .readTree(header);
            if (json.isObject()) {
                return json;
            }
        } catch (JsonProcessingException e) {
            throw new ModelFormatException(file, "header is not JSON: " + e.getOriginalMessage(), e);
        }
        throw new ModelFormatException(file, "header is not a JSON object; not a safetensors file");
    }

    @Override
    public List<String> names() {
        return List.copyOf(tensors.keySet());
    }

    @Override
    public NamedTensor tensor(String name) {
        NamedTensor tensor = tensors.get(name);
        if (tensor == null) {
            throw new IllegalArgumentException("no tensor " + name);
        }
        return tensor;
    }

    private record Entry(String name, ElementType type, List<Long> shape, long begin, long end) {
        static Entry read(Path file, String name, JsonNode json) {
            JsonNode offsets = json.path("data_offsets");
            if (!json.path("dtype").isTextual() || !json.path("shape").isArray() || offsets.size() != 2) {
                throw new ModelFormatException(
                        file, "tensor " + name + ": " + json + "; expected dtype, shape and two data_offsets");
            }
            List<Long> shape = new ArrayList<>();
            json.get("shape").forEach(size -> shape.add(size.asLong(-1)));
            Entry entry = new Entry(
                    name,
                    type(file, name, json.get("dtype").asText()),
                    shape,
                    offsets.get(0).asLong(-1),
                    offsets.get(1).asLong(-1));
            if (entry.begin < 0 || entry.end < entry.begin || shape.stream().anyMatch(size -> size < 0)) {
                throw entry.invalid(
                        file, "shape " + shape + " and data_offsets " + offsets + "; expected none negative");
            }
            if (entry.expectedBytes(file) != entry.end - entry.begin) {
                throw entry.invalid(
                        file,
                        "data_offsets span " + (entry.end - entry.begin) + " bytes, expected "
                                + entry.expectedBytes(file) + " for " + entry.type + shape);
            }
            return entry;
        }

        private static ElementType type(Path file, String name, String text) {
            for (ElementType type : ElementType.values()) {
                if (type.name().equals(text)) {
                    return type;
                }
            }
            throw new ModelFormatException(
                    file,
                    "tensor " + name + ": dtype " + text + " is not supported; supported are "
                            + List.of(ElementType.values()));
        }

        private long expectedBytes(Path file) {
            try {
                return Math.multiplyExact(NamedTensor.elements(shape), type.bytes());
            } catch (ArithmeticException e) {
                throw new ModelFormatException(file, "tensor " + name + ": shape " + shape + " overflows", e);
            }
        }

        ModelFormatException invalid(Path file, String problem) {
            return new ModelFormatException(file, "tensor " + name + ": " + problem);
        }
    }
}
