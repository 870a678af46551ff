package dev.tmax.model.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tmax.model.DeltaNet;
import dev.tmax.model.torch.Program;
import dev.tmax.model.torch.Scope;
import dev.tmax.model.torch.Torch;
import dev.tmax.model.torch.Value;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The delta rule over chunks against a plain one, token by token in float64. */
class DeltaNetSourceTest {
    private static final int CHUNK = 4;
    private static final int KEYS = 3;
    private static final int VALUES = 2;
    private static final DeltaNet NET = new DeltaNet(1, 1, KEYS, VALUES, 4);

    /** One head's inputs of a sequence. */
    private record Tokens(double[][] q, double[][] k, double[][] v, double[] g, double[] beta) {
        static Tokens random(Random random, int n) {
            Tokens tokens = new Tokens(
                    new double[n][KEYS], new double[n][KEYS], new double[n][VALUES], new double[n], new double[n]);
            for (int t = 0; t < n; t++) {
                fill(tokens.q[t], random);
                fill(tokens.k[t], random);
                fill(tokens.v[t], random);
                tokens.g[t] = -random.nextDouble();
                tokens.beta[t] = random.nextDouble();
            }
            return tokens;
        }

        /** Values that a float holds, so that both sides begin alike. */
        private static void fill(double[] row, Random random) {
            for (int i = 0; i < row.length; i++) {
                row[i] = (float) (random.nextGaussian() / 2);
            }
        }
    }

    /** Outputs, and the matrix after the last token. */
    private record Result(double[][] outputs, double[][] state) {}

    private static Result plain(Tokens tokens, double[][] before) {
        double[][] state = new double[KEYS][];
        for (int i = 0; i < KEYS; i++) {
            state[i] = before[i].clone();
        }
        double[][] outputs = new double[tokens.g.length][VALUES];
        for (int t = 0; t < outputs.length; t++) {
            for (int j = 0; j < VALUES; j++) {
                double known = 0;
                for (int i = 0; i < KEYS; i++) {
                    state[i][j] *= Math.exp(tokens.g[t]);
                    known += state[i][j] * tokens.k[t][i];
                }
                for (int i = 0; i < KEYS; i++) {
                    state[i][j] += tokens.k[t][i] * tokens.beta[t] * (tokens.v[t][j] - known);
                    outputs[t][j] += state[i][j] * tokens.q[t][i];
                }
            }
        }
        return new Result(outputs, state);
    }

    /** Sequences of one length, as chunks {@code [sequence and chunk in step order, 1, chunk, size]}. */
    private static Value chunks(Scope scope, List<double[][]> sequences, int size) {
        int steps = sequences.getFirst().length / CHUNK;
        float[] flat = new float[steps * sequences.size() * CHUNK * size];
        int next = 0;
        for (int step = 0; step < steps; step++) {
            for (double[][] sequence : sequences) {
                for (int t = step * CHUNK; t < (step + 1) * CHUNK; t++) {
                    for (int i = 0; i < size; i++) {
                        flat[next++] = (float) sequence[t][i];
                    }
                }
            }
        }
        return size == 1
                ? scope.tensor(flat, steps * sequences.size(), 1, CHUNK)
                : scope.tensor(flat, steps * sequences.size(), 1, CHUNK, size);
    }

    private static double[][] column(double[] values) {
        double[][] rows = new double[values.length][];
        for (int t = 0; t < rows.length; t++) {
            rows[t] = new double[] {values[t]};
        }
        return rows;
    }

    @Test
    void computesOverChunksWhatTheRuleGivesTokenByToken() {
        Random random = new Random(3);
        Tokens prompt = Tokens.random(random, 3 * CHUNK);
        List<Tokens> samples = List.of(Tokens.random(random, 2 * CHUNK), Tokens.random(random, 2 * CHUNK));
        Torch.enter(1, false);
        String source = DeltaNetSource.fill(DeltaNetSource.chunks(), NET)
                .replace("SELF", "self: __torch__.M")
                .replace("$F32", "6");
        try (Program program = new Program(source);
                Scope scope = new Scope()) {
            List<Value> first = run(program, scope, List.of(prompt), scope.tensor(new float[6], 1, 1, 3, 2), 1, 1, 1);
            Result begun = plain(prompt, new double[KEYS][VALUES]);
            assertClose(first.get(0).floats(), List.of(begun), 1);
            // Both samples continue the prompt's state.
            List<Value> then = run(program, scope, samples, first.get(1), 2, 2);
            List<Result> expected =
                    samples.stream().map(sample -> plain(sample, begun.state)).toList();
            assertClose(then.get(0).floats(), expected, 2);
            float[] states = then.get(1).floats();
            for (int s = 0; s < 2; s++) {
                for (int i = 0; i < KEYS * VALUES; i++) {
                    assertThat((double) states[s * KEYS * VALUES + i])
                            .isCloseTo(expected.get(s).state[i / VALUES][i % VALUES], within(1e-5));
                }
            }
        }
    }

    private static List<Value> run(Program program, Scope scope, List<Tokens> tokens, Value state, long... counts) {
        return scope.elements(program.run(
                scope,
                "delta_chunks",
                chunks(scope, tokens.stream().map(Tokens::q).toList(), KEYS),
                chunks(scope, tokens.stream().map(Tokens::k).toList(), KEYS),
                chunks(scope, tokens.stream().map(Tokens::v).toList(), VALUES),
                chunks(scope, tokens.stream().map(t -> column(t.g)).toList(), 1),
                chunks(scope, tokens.stream().map(t -> column(t.beta)).toList(), 1),
                state,
                scope.numbers(counts)));
    }

    private static void assertClose(float[] outputs, List<Result> expected, int sequences) {
        int tokens = expected.getFirst().outputs.length;
        for (int s = 0; s < sequences; s++) {
            for (int t = 0; t < tokens; t++) {
                int chunk = t / CHUNK * sequences + s;
                for (int j = 0; j < VALUES; j++) {
                    assertThat((double) outputs[(chunk * CHUNK + t % CHUNK) * VALUES + j])
                            .as("sequence %d token %d", s, t)
                            .isCloseTo(expected.get(s).outputs[t][j], within(1e-5));
                }
            }
        }
    }
}
