package ai.djl.pytorch.jni;

import ai.djl.ndarray.types.DataType;
import java.nio.ByteBuffer;

/**
 * The few native calls that decoding and training make, on raw handles. DJL's table of natives is package-private, and
 * its public way to a script's methods builds and parses named arrays on each call, so this class sits in DJL's package
 * (which works on the class path). Every returned handle is the caller's to delete.
 */
public final class TorchCalls {
    private static final int DENSE = 0;
    private static final int[] CPU = {0, -1};

    private TorchCalls() {}

    /** Runs a method of a loaded script. In train mode the interpreter neither profiles nor freezes. */
    public static long run(long module, String method, long[] arguments) {
        return PyTorchLibrary.LIB.moduleRunMethod(module, method, arguments, true, false);
    }

    /** A tensor over a direct buffer's memory, which must outlive it. */
    public static long tensorOver(ByteBuffer buffer, DataType type, long[] shape) {
        return PyTorchLibrary.LIB.torchFromBlob(buffer, shape, type.ordinal(), DENSE, CPU, false);
    }

    public static long valueOf(long tensor) {
        return PyTorchLibrary.LIB.iValueFromTensor(tensor);
    }

    public static long valueOfLong(long number) {
        return PyTorchLibrary.LIB.iValueFromLong(number);
    }

    public static long valueOfDouble(double number) {
        return PyTorchLibrary.LIB.iValueFromDouble(number);
    }

    public static long valueOfBoolean(boolean flag) {
        return PyTorchLibrary.LIB.iValueFromBool(flag);
    }

    public static long valueOfLongs(long[] numbers) {
        return PyTorchLibrary.LIB.iValueFromLongList(numbers);
    }

    public static long valueOfTensors(long[] tensors) {
        return PyTorchLibrary.LIB.iValueFromTensorList(tensors);
    }

    public static long tensorOf(long value) {
        return PyTorchLibrary.LIB.iValueToTensor(value);
    }

    public static long[] tensorsOf(long value) {
        return PyTorchLibrary.LIB.iValueToTensorList(value);
    }

    /** The memory of a contiguous tensor of less than 2 GiB. */
    public static ByteBuffer memoryOf(long tensor) {
        return PyTorchLibrary.LIB.torchDirectByteBuffer(tensor);
    }

    public static void deleteTensor(long tensor) {
        PyTorchLibrary.LIB.torchDeleteTensor(tensor);
    }

    public static void deleteValue(long value) {
        PyTorchLibrary.LIB.torchDeleteIValue(value);
    }

    /** Threads of one operation, for operations started by this thread. */
    public static void setThreads(int threads) {
        PyTorchLibrary.LIB.torchSetNumThreads(threads);
    }

    /** Whether operations of this thread record a graph for gradients. */
    public static void setGradients(boolean enabled) {
        PyTorchLibrary.LIB.torchSetGradMode(enabled);
    }

    /** Whether scripts run by this thread are optimised at run time, which costs more than it brings here. */
    public static void setOptimize(boolean enabled) {
        PyTorchLibrary.LIB.setGraphExecutorOptimize(enabled);
    }
}
