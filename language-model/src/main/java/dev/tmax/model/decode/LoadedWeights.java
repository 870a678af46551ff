package dev.tmax.model.decode;

import dev.tmax.model.Precision;
import dev.tmax.model.program.FusedLayout;
import dev.tmax.model.program.WeightLoader;
import dev.tmax.model.torch.Program;
import dev.tmax.model.torch.Scope;
import dev.tmax.model.torch.Value;
import dev.tmax.model.weights.WeightSource;
import java.util.ArrayList;
import java.util.List;

/**
 * One version's weights as decoding uses them: layers packed, embedding plain, norms in float32.
 *
 * @param layers list in {@link FusedLayout} order
 */
record LoadedWeights(long version, Scope scope, Value layers, Value embedding, Value head) implements AutoCloseable {
    static LoadedWeights load(
            Program program, FusedLayout layout, DecodeOptions options, long version, WeightSource source) {
        WeightLoader loader = new WeightLoader(program);
        Scope scope = Scope.shared();
        try {
            List<Value> layers = new ArrayList<>();
            for (FusedLayout.Part part : layout.parts()) {
                layers.add(
                        part.isMatrix()
                                ? pack(program, scope, loader, source, part, options.compute())
                                : loader.load(scope, source, part, vectorType(part, options)));
            }
            Precision head = options.floatHead() ? Precision.FP32 : options.compute();
            return new LoadedWeights(
                    version,
                    scope,
                    scope.list(layers),
                    loader.load(scope, source, layout.embedding(), options.compute()),
                    pack(program, scope, loader, source, layout.head(), head));
        } catch (RuntimeException e) {
            scope.close();
            throw e;
        }
    }

    /** Biases are added inside a matrix product, in its type; norms multiply in float32. */
    private static Precision vectorType(FusedLayout.Part part, DecodeOptions options) {
        return part.parameters().getFirst().name().endsWith(".bias") ? options.compute() : Precision.FP32;
    }

    private static Value pack(
            Program program,
            Scope scope,
            WeightLoader loader,
            WeightSource source,
            FusedLayout.Part part,
            Precision precision) {
        try (Scope temporary = new Scope()) {
            return program.run(scope, "pack", loader.load(temporary, source, part, precision));
        }
    }

    @Override
    public void close() {
        scope.close();
    }
}
