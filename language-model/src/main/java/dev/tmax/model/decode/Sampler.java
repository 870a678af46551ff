package dev.tmax.model.decode;

import dev.tmax.model.torch.Program;
import dev.tmax.model.torch.Scope;
import dev.tmax.model.torch.Value;
import java.util.List;

/** Draws one token a sequence from rows of logits. */
final class Sampler {
    /**
     * What was drawn, one entry a row.
     *
     * @param logProbabilities under the distribution drawn from
     */
    record Drawn(long[] tokens, float[] logProbabilities) {}

    private final Program program;

    Sampler(Program program) {
        this.program = program;
    }

    /**
     * Draws for all rows.
     *
     * @param logits {@code [sequences, vocabulary]} float32
     */
    Drawn draw(Scope scope, Value logits, List<Sequence> sequences) {
        int rows = sequences.size();
        float[] scale = new float[rows];
        float[] uniform = new float[rows];
        byte[] greedy = new byte[rows];
        for (int row = 0; row < rows; row++) {
            double temperature = sequences.get(row).sampling().temperature();
            greedy[row] = (byte) (temperature == 0 ? 1 : 0);
            scale[row] = temperature == 0 ? 1 : (float) (1 / temperature);
            uniform[row] = sequences.get(row).uniform();
        }
        Value scales = scope.tensor(scale, rows, 1);
        Value uniforms = scope.tensor(uniform, rows, 1);
        Value greedies = scope.mask(greedy, rows, 1);
        Value drawn =
                sequences.stream().anyMatch(sequence -> sequence.sampling().truncated())
                        ? truncated(scope, logits, sequences, scales, uniforms, greedies)
                        : program.run(scope, "sample", logits, scales, uniforms, greedies);
        List<Value> results = scope.elements(drawn);
        return new Drawn(results.get(0).longs(), results.get(1).floats());
    }

    private Value truncated(
            Scope scope, Value logits, List<Sequence> sequences, Value scales, Value uniforms, Value greedies) {
        int rows = sequences.size();
        float[] most = new float[rows];
        float[] mass = new float[rows];
        for (int row = 0; row < rows; row++) {
            SamplingParameters sampling = sequences.get(row).sampling();
            most[row] = sampling.truncated() && sampling.topK() > 0 ? sampling.topK() : Float.POSITIVE_INFINITY;
            // Above 1, so that rounding of the cumulative sum drops nothing.
            mass[row] = sampling.truncated() && sampling.topP() < 1 ? (float) sampling.topP() : 2;
        }
        return program.run(
                scope,
                "truncated",
                logits,
                scales,
                uniforms,
                greedies,
                scope.tensor(most, rows, 1),
                scope.tensor(mass, rows, 1));
    }
}
