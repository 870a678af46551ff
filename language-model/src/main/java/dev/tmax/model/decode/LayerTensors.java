package dev.tmax.model.decode;

import dev.tmax.model.Precision;
import dev.tmax.model.program.WeightLoader;
import dev.tmax.model.torch.Program;
import dev.tmax.model.torch.Scope;
import dev.tmax.model.torch.Value;
import java.util.Arrays;
import java.util.List;

/** One tensor for each layer, all of one shape. */
final class LayerTensors implements AutoCloseable {
    private final Program program;
    private final Precision precision;
    private final Scope[] owners;
    private final Value[] tensors;
    private long[] shape;
    private Scope listOwner = Scope.shared();
    private Value list;

    LayerTensors(Program program, Precision precision, int layers, long... shape) {
        this.program = program;
        this.precision = precision;
        this.shape = shape;
        owners = new Scope[layers];
        tensors = new Value[layers];
        try {
            for (int layer = 0; layer < layers; layer++) {
                owners[layer] = Scope.shared();
                tensors[layer] = zeros(owners[layer], shape);
            }
            list = listOwner.list(List.of(tensors));
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Zeroed, because attention multiplies what lies beyond a row's context by zero, and zero times NaN is NaN. */
    private Value zeros(Scope owner, long... size) {
        return program.run(owner, "allocate", owner.numbers(size), owner.number(WeightLoader.typeCode(precision)));
    }

    /** The tensors as a list. Not valid after {@link #resize}. */
    Value list() {
        return list;
    }

    /** Gives all tensors another shape of as many dimensions; what lies at indices of both shapes stays. */
    void resize(long... next) {
        if (Arrays.equals(shape, next)) {
            return;
        }
        long[] common = new long[next.length];
        for (int dimension = 0; dimension < next.length; dimension++) {
            common[dimension] = Math.min(shape[dimension], next[dimension]);
        }
        listOwner.close();
        listOwner = Scope.shared();
        for (int layer = 0; layer < tensors.length; layer++) {
            replace(layer, next, common);
        }
        shape = next;
        list = listOwner.list(List.of(tensors));
    }

    private void replace(int layer, long[] next, long[] common) {
        Scope owner = Scope.shared();
        try (Scope arguments = new Scope()) {
            Value tensor = zeros(owner, next);
            program.run(arguments, "carry_over", tensors[layer], tensor, arguments.numbers(common));
            owners[layer].close();
            owners[layer] = owner;
            tensors[layer] = tensor;
        } catch (RuntimeException e) {
            owner.close();
            throw e;
        }
    }

    @Override
    public void close() {
        listOwner.close();
        for (Scope owner : owners) {
            if (owner != null) {
                owner.close();
            }
        }
    }
}
