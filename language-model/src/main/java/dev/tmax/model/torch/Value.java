package dev.tmax.model.torch;

import ai.djl.pytorch.jni.TorchCalls;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Function;

/** An argument or result of a {@link Program}: a tensor, a list of tensors or a number. Owned by a {@link Scope}. */
public final class Value {
    private long handle;

    Value(long handle) {
        this.handle = handle;
    }

    long handle() {
        if (handle == 0) {
            throw new IllegalStateException("the scope of this value is closed");
        }
        return handle;
    }

    /** Elements of a contiguous float32 tensor. */
    public float[] floats() {
        return withMemory(memory -> {
            float[] elements = new float[memory.remaining() / Float.BYTES];
            memory.asFloatBuffer().get(elements);
            return elements;
        });
    }

    /** Elements of a contiguous int64 tensor. */
    public long[] longs() {
        return withMemory(memory -> {
            long[] elements = new long[memory.remaining() / Long.BYTES];
            memory.asLongBuffer().get(elements);
            return elements;
        });
    }

    /**
     * The live memory of a contiguous tensor.
     *
     * @param first a view of the tensor's first element, which is small enough for a buffer
     * @param bytes size of the whole tensor
     */
    static MemorySegment memory(Value first, long bytes) {
        return first.withMemory(
                memory -> MemorySegment.ofAddress(MemorySegment.ofBuffer(memory).address())
                        .reinterpret(bytes));
    }

    private <T> T withMemory(Function<ByteBuffer, T> reader) {
        long tensor = TorchCalls.tensorOf(handle());
        try {
            return reader.apply(TorchCalls.memoryOf(tensor).order(ByteOrder.nativeOrder()));
        } finally {
            TorchCalls.deleteTensor(tensor);
        }
    }

    void release() {
        if (handle != 0) {
            TorchCalls.deleteValue(handle);
            handle = 0;
        }
    }
}
