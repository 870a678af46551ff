package dev.tmax.model.weights;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * A tensor's name, type, shape and bytes (little endian, row major).
 *
 * @param name the Hugging Face name, such as {@code model.layers.0.self_attn.q_proj.weight}
 * @param type element type
 * @param shape sizes, outermost first; empty for a scalar
 * @param data read-only bytes; valid while its owner (file, snapshot) is open
 */
public record NamedTensor(String name, ElementType type, List<Long> shape, MemorySegment data) {
    public NamedTensor {
        shape = List.copyOf(shape);
        data = data.asReadOnly();
        if (elements(shape) * type.bytes() != data.byteSize()) {
            throw new IllegalArgumentException(
                    "tensor " + name + ": " + type + shape + " does not fill " + data.byteSize() + " bytes");
        }
    }

    /** Number of elements of a tensor of this shape. */
    public static long elements(List<Long> shape) {
        return shape.stream().reduce(1L, Math::multiplyExact);
    }

    public long elements() {
        return elements(shape);
    }

    /** The bytes as a read-only buffer. Fails for a tensor of 2 GiB or more: read {@link #data} by segment then. */
    public ByteBuffer bytes() {
        return data.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    }
}
