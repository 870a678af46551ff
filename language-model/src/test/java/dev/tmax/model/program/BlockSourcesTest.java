package dev.tmax.model.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tmax.model.DeltaNet;
import dev.tmax.model.Fixture;
import dev.tmax.model.ModelConfiguration;
import dev.tmax.model.ModelFolder;
import dev.tmax.model.Precision;
import dev.tmax.model.torch.Program;
import dev.tmax.model.torch.Scope;
import dev.tmax.model.torch.Torch;
import dev.tmax.model.torch.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each generated block alone, on a hybrid's weights, against its formula in float64. */
class BlockSourcesTest {
    private static final int ROWS = 5;
    private static final String DELTA = "model.layers.0.linear_attn.";
    private static final String ATTENTION = "model.layers.3.self_attn.";
    private static final ModelFolder MODEL = new Fixture("qwen3_5").model();
    private static final ModelConfiguration SIZES = MODEL.configuration();
    private static final DeltaNet NET = SIZES.deltaNet().orElseThrow();
    private static final PlainBlocks PLAIN = new PlainBlocks(MODEL.weights(), SIZES.normEpsilon());
    private static final int LAYER_PARTS = DeltaNetSource.PARTS.size() + FeedForwardSource.PARTS.size();

    private final Random random = new Random(4);
    private final double[][] x = rows(ROWS, SIZES.hiddenSize());
    private Program program;
    private Scope scope;
    private Value weights;

    @BeforeEach
    void compile() {
        Torch.enter(1, false);
        scope = new Scope();
        program = new Program(new DecoderSource(SIZES, Precision.FP32).blocks() + WeightLoader.METHODS);
        WeightLoader loader = new WeightLoader(program);
        List<Value> parts = new ArrayList<>();
        for (FusedLayout.Part part : new FusedLayout(SIZES, MODEL.layout()).parts()) {
            parts.add(loader.load(scope, MODEL.weights(), part, Precision.FP32));
        }
        weights = scope.list(parts);
    }

    @AfterEach
    void free() {
        scope.close();
        program.close();
    }

    private double[][] rows(int rows, int columns) {
        double[][] values = new double[rows][columns];
        for (double[] row : values) {
            for (int i = 0; i < columns; i++) {
                row[i] = (float) random.nextGaussian();
            }
        }
        return values;
    }

    private Value tensor(double[][] values, long... shape) {
        float[] flat = new float[values.length * values[0].length];
        for (int i = 0; i < flat.length; i++) {
            flat[i] = (float) values[i / values[0].length][i % values[0].length];
        }
        return scope.tensor(flat, shape.length == 0 ? new long[] {values.length, values[0].length} : shape);
    }

    private Value run(String method, int firstPart, Value... arguments) {
        List<Value> all = new ArrayList<>(List.of(weights, scope.number(firstPart)));
        all.addAll(List.of(arguments));
        return program.run(scope, method, all.toArray(Value[]::new));
    }

    private static void assertRow(Value actual, int row, double[] expected) {
        float[] values = actual.floats();
        for (int i = 0; i < expected.length; i++) {
            assertThat((double) values[row * expected.length + i])
                    .as("row %d, element %d", row, i)
                    .isCloseTo(expected[i], within(2e-5 * (1 + Math.abs(expected[i]))));
        }
    }

    @Test
    void feedForward() {
        Value y = run("mlp", DeltaNetSource.PARTS.size(), tensor(x));
        for (int row = 0; row < ROWS; row++) {
            assertRow(y, row, PLAIN.feedForward("model.layers.0.", x[row]));
        }
    }

    @Test
    void attentionsQueriesKeysAndValues() {
        Value projected = run("projected", 3 * LAYER_PARTS, tensor(x));
        RotaryTable rotary = RotaryTable.of(SIZES, ROWS, scope);
        int turned = SIZES.rotarySize();
        Value y = program.run(
                scope,
                "rotated",
                weights,
                scope.number(3 * LAYER_PARTS),
                projected,
                scope.tensor(rotary.cosine().floats(), ROWS, 1, turned),
                scope.tensor(rotary.sine().floats(), ROWS, 1, turned));
        int size = SIZES.headSize();
        for (int row = 0; row < ROWS; row++) {
            double[] h = PLAIN.norm("model.layers.3.input_layernorm.weight", x[row]);
            List<double[]> heads = new ArrayList<>();
            double[] queries = PLAIN.linear(ATTENTION + "q_proj.weight", h);
            for (int head = 0; head < SIZES.heads(); head++) {
                double[] query =
                        PLAIN.norm(ATTENTION + "q_norm.weight", PlainBlocks.part(queries, 2 * head * size, size));
                heads.add(PlainBlocks.rotate(query, turned, SIZES.ropeTheta(), row));
            }
            double[] keys = PLAIN.linear(ATTENTION + "k_proj.weight", h);
            for (int head = 0; head < SIZES.keyValueHeads(); head++) {
                double[] key = PLAIN.norm(ATTENTION + "k_norm.weight", PlainBlocks.part(keys, head * size, size));
                heads.add(PlainBlocks.rotate(key, turned, SIZES.ropeTheta(), row));
            }
            heads.add(PLAIN.linear(ATTENTION + "v_proj.weight", h));
            assertRow(y, row, heads.stream().flatMapToDouble(Arrays::stream).toArray());
        }
    }

    @Test
    void attentionsGatedOutput() {
        int size = SIZES.headSize();
        double[][] o = rows(ROWS, SIZES.heads() * size);
        Value y = run("attended", 3 * LAYER_PARTS, tensor(x), run("projected", 3 * LAYER_PARTS, tensor(x)), tensor(o));
        for (int row = 0; row < ROWS; row++) {
            double[] queries = PLAIN.linear(
                    ATTENTION + "q_proj.weight", PLAIN.norm("model.layers.3.input_layernorm.weight", x[row]));
            double[] gated = o[row].clone();
            for (int i = 0; i < gated.length; i++) {
                gated[i] *= PlainBlocks.sigmoid(queries[(2 * (i / size) + 1) * size + i % size]);
            }
            assertRow(y, row, PlainBlocks.sum(x[row], PLAIN.linear(ATTENTION + "o_proj.weight", gated)));
        }
    }

    @Test
    void deltaNetsConvolution() {
        double[][] inputs = rows(NET.taps() - 1 + ROWS, NET.channels());
        Value y = run("convolved", 0, tensor(inputs));
        double[] kernels = PLAIN.vector(DELTA + "conv1d.weight");
        for (int row = 0; row < ROWS; row++) {
            double[] expected = new double[NET.channels()];
            for (int channel = 0; channel < expected.length; channel++) {
                double[] seen = new double[NET.taps()];
                for (int tap = 0; tap < seen.length; tap++) {
                    seen[tap] = inputs[row + tap][channel];
                }
                expected[channel] =
                        PlainBlocks.convolve(PlainBlocks.part(kernels, channel * NET.taps(), NET.taps()), seen);
            }
            assertRow(y, row, expected);
        }
    }

    @Test
    void deltaNetsHeads() {
        double[][] y = rows(ROWS, NET.channels());
        List<Value> heads = scope.elements(program.run(scope, "delta_heads", tensor(y)));
        // A view of the input; copied, because only contiguous memory can be read.
        Value values = program.run(scope, "joined", scope.list(List.of(heads.get(2))), scope.number(6));
        int size = NET.keyHeadSize();
        for (int row = 0; row < ROWS; row++) {
            double[] q = new double[NET.valueHeads() * size];
            double[] k = new double[q.length];
            for (int head = 0; head < NET.valueHeads(); head++) {
                // Consecutive value heads share a key head.
                int keyHead = head * NET.keyHeads() / NET.valueHeads();
                double[] query = PlainBlocks.unitLength(PlainBlocks.part(y[row], keyHead * size, size));
                double[] key = PlainBlocks.unitLength(PlainBlocks.part(y[row], NET.keySize() + keyHead * size, size));
                for (int i = 0; i < size; i++) {
                    q[head * size + i] = query[i] / Math.sqrt(size);
                    k[head * size + i] = key[i];
                }
            }
            assertRow(heads.get(0), row, q);
            assertRow(heads.get(1), row, k);
            assertRow(values, row, PlainBlocks.part(y[row], 2 * NET.keySize(), NET.valueSize()));
        }
    }

    @Test
    void deltaNetsGates() {
        double[][] gates = rows(ROWS, 2 * NET.valueHeads());
        Value decay = run("decay", 0, tensor(gates));
        Value strength = program.run(scope, "strength", tensor(gates));
        double[] bias = PLAIN.vector(DELTA + "dt_bias");
        double[] a = PLAIN.vector(DELTA + "A_log");
        for (int row = 0; row < ROWS; row++) {
            double[] g = new double[NET.valueHeads()];
            double[] beta = new double[NET.valueHeads()];
            for (int head = 0; head < g.length; head++) {
                g[head] = -Math.exp(a[head]) * PlainBlocks.softplus(gates[row][g.length + head] + bias[head]);
                beta[head] = PlainBlocks.sigmoid(gates[row][head]);
            }
            assertRow(decay, row, g);
            assertRow(strength, row, beta);
        }
    }

    @Test
    void deltaNetsGatedOutput() {
        double[][] o = rows(ROWS, NET.valueSize());
        Value p = run("delta_projected", 0, tensor(x));
        Value y = run("delta_output", 0, tensor(x), p, tensor(o, ROWS, NET.valueHeads(), NET.valueHeadSize()));
        double[] gain = PLAIN.vector(DELTA + "norm.weight");
        int size = NET.valueHeadSize();
        for (int row = 0; row < ROWS; row++) {
            double[] z = PLAIN.linear(
                    DELTA + "in_proj_z.weight", PLAIN.norm("model.layers.0.input_layernorm.weight", x[row]));
            double[] gated = new double[NET.valueSize()];
            for (int head = 0; head < NET.valueHeads(); head++) {
                double[] unit = PLAIN.unit(PlainBlocks.part(o[row], head * size, size));
                for (int i = 0; i < size; i++) {
                    gated[head * size + i] = unit[i] * gain[i] * PlainBlocks.silu(z[head * size + i]);
                }
            }
            assertRow(y, row, PlainBlocks.sum(x[row], PLAIN.linear(DELTA + "out_proj.weight", gated)));
        }
    }
}
