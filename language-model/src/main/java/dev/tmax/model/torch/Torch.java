package dev.tmax.model.torch;

import ai.djl.engine.Engine;
import ai.djl.pytorch.jni.TorchCalls;

/** libtorch's settings that belong to a thread. */
public final class Torch {
    private Torch() {}

    /**
     * Prepares the calling thread for an engine's operations. Threads per operation, gradient recording and script
     * optimisation are kept by libtorch for each calling thread, and another engine may have used this one in between.
     *
     * @param threads threads of one operation
     * @param gradients whether to record a graph for gradients
     */
    public static void enter(int threads, boolean gradients) {
        load();
        TorchCalls.setThreads(threads);
        TorchCalls.setGradients(gradients);
        TorchCalls.setOptimize(false);
    }

    /** Loads the native library, on the first call. */
    static void load() {
        Engine.getEngine("PyTorch");
    }
}
