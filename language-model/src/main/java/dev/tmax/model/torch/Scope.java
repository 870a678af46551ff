package dev.tmax.model.torch;

import ai.djl.ndarray.types.DataType;
import ai.djl.pytorch.jni.TorchCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Owner of native values. Everything made in a scope is freed when it closes, on success and on failure alike, so native
 * memory follows the structure of the code. Not thread-safe.
 */
public final class Scope implements AutoCloseable {
    private final Arena memory;
    private final List<Value> values = new ArrayList<>();

    private Scope(Arena memory) {
        Torch.load();
        this.memory = memory;
    }

    /** A scope that the calling thread closes; cheap. */
    public Scope() {
        this(Arena.ofConfined());
    }

    /** A scope that another thread may close. */
    public static Scope shared() {
        return new Scope(Arena.ofShared());
    }

    /** An int64 tensor of one dimension, copied from an array. */
    public Value tensor(long[] elements) {
        return tensor(copy(MemorySegment.ofArray(elements)), DataType.INT64, elements.length);
    }

    /** An int64 tensor of one dimension, from ints. */
    public Value tensor(int[] elements) {
        long[] wide = new long[elements.length];
        for (int i = 0; i < wide.length; i++) {
            wide[i] = elements[i];
        }
        return tensor(wide);
    }

    /** A float32 tensor, copied from an array. */
    public Value tensor(float[] elements, long... shape) {
        return tensor(
                copy(MemorySegment.ofArray(elements)),
                DataType.FLOAT32,
                shape.length == 0 ? new long[] {elements.length} : shape);
    }

    /** A tensor of booleans, copied from bytes that are 0 or 1. */
    public Value mask(byte[] elements, long... shape) {
        return tensor(copy(MemorySegment.ofArray(elements)), DataType.BOOLEAN, shape);
    }

    private Value tensor(MemorySegment data, DataType type, long... shape) {
        long tensor = TorchCalls.tensorOver(data.asByteBuffer(), type, shape);
        try {
            return adopt(TorchCalls.valueOf(tensor));
        } finally {
            TorchCalls.deleteTensor(tensor);
        }
    }

    private MemorySegment copy(MemorySegment array) {
        return memory.allocate(array.byteSize(), ValueLayout.JAVA_LONG.byteAlignment())
                .copyFrom(array);
    }

    public Value number(long number) {
        return adopt(TorchCalls.valueOfLong(number));
    }

    public Value number(double number) {
        return adopt(TorchCalls.valueOfDouble(number));
    }

    public Value flag(boolean flag) {
        return adopt(TorchCalls.valueOfBoolean(flag));
    }

    /** A list of whole numbers, such as a shape. */
    public Value numbers(long... numbers) {
        return adopt(TorchCalls.valueOfLongs(numbers));
    }

    /** A list of whole numbers, from ints. */
    public Value numbers(int[] numbers) {
        return numbers(Arrays.stream(numbers).asLongStream().toArray());
    }

    /** A list of tensors. */
    public Value list(List<Value> tensors) {
        long[] handles = new long[tensors.size()];
        try {
            for (int i = 0; i < handles.length; i++) {
                handles[i] = TorchCalls.tensorOf(tensors.get(i).handle());
            }
            return adopt(TorchCalls.valueOfTensors(handles));
        } finally {
            delete(handles);
        }
    }

    /** Another owner of a tensor, so that it outlives its first scope. */
    public Value share(Value tensor) {
        long handle = TorchCalls.tensorOf(tensor.handle());
        try {
            return adopt(TorchCalls.valueOf(handle));
        } finally {
            TorchCalls.deleteTensor(handle);
        }
    }

    /** The tensors of a list. */
    public List<Value> elements(Value list) {
        long[] handles = TorchCalls.tensorsOf(list.handle());
        try {
            List<Value> tensors = new ArrayList<>(handles.length);
            for (long handle : handles) {
                tensors.add(adopt(TorchCalls.valueOf(handle)));
            }
            return tensors;
        } finally {
            delete(handles);
        }
    }

    private static void delete(long[] tensors) {
        for (long tensor : tensors) {
            if (tensor != 0) {
                TorchCalls.deleteTensor(tensor);
            }
        }
    }

    Value adopt(long handle) {
        Value value = new Value(handle);
        values.add(value);
        return value;
    }

    /** Frees all values, then the memory that inputs were copied to. */
    @Override
    public void close() {
        values.forEach(Value::release);
        values.clear();
        if (memory.scope().isAlive()) {
            memory.close();
        }
    }
}
