package dev.tmax.model.train;

import dev.tmax.model.weights.NamedTensor;
import dev.tmax.model.weights.WeightSource;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A copy of a version's weights in bfloat16, in {@link dev.tmax.model.ParameterLayout} order without gaps: the data
 * section of the safetensors file that an export of this version writes. Off the heap; freed by {@link #close}.
 */
public final class PublishedWeights implements WeightSource, AutoCloseable {
    private final long version;
    private final Arena arena;
    private final MemorySegment bytes;
    private final Map<String, NamedTensor> tensors;

    PublishedWeights(long version, Arena arena, MemorySegment bytes, Map<String, NamedTensor> tensors) {
        this.version = version;
        this.arena = arena;
        this.bytes = bytes.asReadOnly();
        this.tensors = new LinkedHashMap<>(tensors);
    }

    /** Policy version. */
    public long version() {
        return version;
    }

    /** All tensors' bytes in order. */
    public MemorySegment bytes() {
        return bytes;
    }

    @Override
    public List<String> names() {
        return List.copyOf(tensors.keySet());
    }

    @Override
    public NamedTensor tensor(String name) {
        NamedTensor tensor = tensors.get(name);
        if (tensor == null) {
            throw new IllegalArgumentException("version " + version + ": no tensor " + name);
        }
        return tensor;
    }

    @Override
    public long totalBytes() {
        return bytes.byteSize();
    }

    @Override
    public void close() {
        arena.close();
    }
}
