package dev.tmax.model.decode;

import dev.tmax.model.DeltaNet;
import dev.tmax.model.LayerType;
import dev.tmax.model.ModelConfiguration;
import dev.tmax.model.Precision;
import dev.tmax.model.program.WeightLoader;
import dev.tmax.model.torch.Program;
import dev.tmax.model.torch.Scope;
import dev.tmax.model.torch.Value;
import java.util.Optional;

/**
 * What the delta-net layers keep of each slot's sequence: the inputs that the convolution will see again,
 * {@code [delta-net layers, slots, taps − 1, channels]} in the compute type, and the matrices
 * {@code [delta-net layers, slots, heads, keySize, valueSize]} in float32. They belong to exactly the tokens that are in
 * the {@link KeyValueCache}, so they can be kept, copied and continued, but not cut back. Empty for models without such
 * layers.
 */
final class RecurrentStates implements AutoCloseable {
    private final Program program;
    private final Scope scope = Scope.shared();
    private final Value windows;
    private final Value matrices;
    private final long bytes;

    RecurrentStates(Program program, ModelConfiguration model, DecodeOptions options) {
        this.program = program;
        bytes = model.stateBytesPerSequence(options.compute() == Precision.BF16 ? Short.BYTES : Float.BYTES);
        Optional<DeltaNet> net = model.deltaNet();
        int layers = model.layers(LayerType.DELTA_NET);
        try {
            windows = zeros(
                    options.compute(),
                    layers,
                    options.slots(),
                    net.map(DeltaNet::taps).orElse(1) - 1,
                    net.map(DeltaNet::channels).orElse(0));
            matrices = zeros(
                    Precision.FP32,
                    layers,
                    options.slots(),
                    net.map(DeltaNet::valueHeads).orElse(0),
                    net.map(DeltaNet::keyHeadSize).orElse(0),
                    net.map(DeltaNet::valueHeadSize).orElse(0));
        } catch (RuntimeException e) {
            scope.close();
            throw e;
        }
    }

    private Value zeros(Precision precision, long... shape) {
        return program.run(scope, "allocate", scope.numbers(shape), scope.number(WeightLoader.typeCode(precision)));
    }

    Value windows() {
        return windows;
    }

    Value matrices() {
        return matrices;
    }

    /** Bytes of one sequence. */
    long bytes() {
        return bytes;
    }

    /** A copy of a slot's state. */
    Value extract(Scope owner, int slot) {
        try (Scope arguments = new Scope()) {
            return program.run(owner, "extract_state", windows, matrices, arguments.number(slot));
        }
    }

    /** Overwrites a slot's state with a copy made before. */
    void insert(int slot, Value state) {
        try (Scope arguments = new Scope()) {
            program.run(arguments, "insert_state", windows, matrices, arguments.number(slot), state);
        }
    }

    /** Copies a slot's state to another slot. */
    void move(int from, int to) {
        try (Scope arguments = new Scope()) {
            program.run(arguments, "move_state", windows, matrices, arguments.number(from), arguments.number(to));
        }
    }

    @Override
    public void close() {
        scope.close();
    }
}
