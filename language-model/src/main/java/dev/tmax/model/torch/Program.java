package dev.tmax.model.torch;

import ai.djl.ndarray.NDManager;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.engine.PtSymbolBlock;
import ai.djl.pytorch.jni.JniUtils;
import ai.djl.pytorch.jni.TorchCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** TorchScript methods, compiled from source text. Usable by several threads. */
public final class Program implements AutoCloseable {
    /** A method every program has: the first element of a tensor, as a view. */
    private static final String FIRST = """
              def first(self: __torch__.M, x: Tensor) -> Tensor:
                return torch.narrow(torch.view(x, [-1]), 0, 0, 1)
            """;

    private final NDManager manager;
    private final PtSymbolBlock module;

    /**
     * Compiles methods.
     *
     * @param methods TorchScript as an archive holds it (operators spelled {@code torch.add}, not {@code +}), each method
     *     indented by two spaces with {@code self: __torch__.M} first
     */
    public Program(String methods) {
        Torch.load();
        manager = NDManager.newBaseManager("PyTorch");
        try {
            module = JniUtils.loadModule(
                    (PtNDManager) manager, new ByteArrayInputStream(ScriptArchive.of(FIRST + methods)), true, false);
        } catch (IOException | RuntimeException e) {
            manager.close();
            throw new IllegalStateException("cannot compile a script: " + e.getMessage(), e);
        }
    }

    /** Runs a method; the result belongs to the scope. */
    public Value run(Scope scope, String method, Value... arguments) {
        long[] handles = new long[arguments.length];
        for (int i = 0; i < handles.length; i++) {
            handles[i] = arguments[i].handle();
        }
        return scope.adopt(TorchCalls.run(module.getHandle(), method, handles));
    }

    /**
     * The live memory of a contiguous tensor, of any size. Valid while the tensor is.
     *
     * @param bytes its size
     */
    public MemorySegment memory(Value tensor, long bytes) {
        try (Scope scope = new Scope()) {
            return Value.memory(run(scope, "first", tensor), bytes);
        }
    }

    @Override
    public void close() {
        module.close();
        manager.close();
    }
}
