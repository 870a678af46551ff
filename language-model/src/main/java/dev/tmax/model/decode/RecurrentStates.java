package dev.tmax.model.decode;

import dev.tmax.model.DeltaNet;
import dev.tmax.model.LayerType;
import dev.tmax.model.ModelConfiguration;
import dev.tmax.model.Precision;
import dev.tmax.model.torch.Program;
import dev.tmax.model.torch.Scope;
import dev.tmax.model.torch.Value;
import java.util.Optional;

/**
 * What the delta-net layers keep of each row's sequence: for each layer the inputs that the convolution will see again,
 * {@code [rows, taps − 1, channels]} in the compute type, and the matrices {@code [rows, heads, keySize, valueSize]} in
 * float32. They belong to exactly the tokens that are in the {@link KeyValueCache}, so they can be kept, copied and
 * continued, but not cut back. Empty for models without such layers.
 */
final class RecurrentStates implements AutoCloseable {
    private final Program program;
    private final Optional<DeltaNet> net;
    private final LayerTensors windows;
    private final LayerTensors matrices;

    RecurrentStates(Program program, ModelConfiguration model, DecodeOptions options) {
        this.program = program;
        net = model.deltaNet();
        int layers = model.layers(LayerType.DELTA_NET);
        windows = new LayerTensors(program, options.compute(), layers, windowShape(0));
        try {
            matrices = new LayerTensors(program, Precision.FP32, layers, matrixShape(0));
        } catch (RuntimeException e) {
            windows.close();
            throw e;
        }
    }

    private long[] windowShape(int rows) {
        return new long[] {
            rows,
            net.map(DeltaNet::taps).orElse(1) - 1,
            net.map(DeltaNet::channels).orElse(0)
        };
    }

    private long[] matrixShape(int rows) {
        return new long[] {
            rows,
            net.map(DeltaNet::valueHeads).orElse(0),
            net.map(DeltaNet::keyHeadSize).orElse(0),
            net.map(DeltaNet::valueHeadSize).orElse(0)
        };
    }

    /** Gives it another number of rows; those of both numbers stay. */
    void resize(int rows) {
        windows.resize(windowShape(rows));
        matrices.resize(matrixShape(rows));
    }

    /** The layers' windows. Not valid after {@link #resize}. */
    Value windows() {
        return windows.list();
    }

    /** The layers' matrices. Not valid after {@link #resize}. */
    Value matrices() {
        return matrices.list();
    }

    /** A copy of a row's state: the layers' windows, then their matrices. */
    Value extract(Scope owner, int row) {
        try (Scope arguments = new Scope()) {
            return program.run(owner, "extract_state", windows(), matrices(), arguments.number(row));
        }
    }

    /** Overwrites a row's state with a copy made before. */
    void insert(int row, Value state) {
        try (Scope arguments = new Scope()) {
            program.run(arguments, "insert_state", windows(), matrices(), arguments.number(row), state);
        }
    }

    /** Copies a row's state to another row. */
    void move(int from, int to) {
        try (Scope arguments = new Scope()) {
            program.run(arguments, "move_state", windows(), matrices(), arguments.number(from), arguments.number(to));
        }
    }

    void exchange(int first, int second) {
        try (Scope arguments = new Scope()) {
            program.run(
                    arguments,
                    "exchange_state",
                    windows(),
                    matrices(),
                    arguments.number(first),
                    arguments.number(second));
        }
    }

    @Override
    public void close() {
        windows.close();
        matrices.close();
    }
}
