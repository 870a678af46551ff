package dev.tmax.model.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tmax.model.Fixture;
import dev.tmax.model.ModelFolder;
import dev.tmax.model.ModelFormatException;
import dev.tmax.model.Precision;
import dev.tmax.model.weights.NamedTensor;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrainingEngineTest {
    private static final Fixture LLAMA = new Fixture("llama");

    private static TrainingEngine open(Fixture fixture, Precision precision) {
        return TrainingEngine.open(fixture.model(), new TrainingOptions(precision, true, 1, AdamW.recipe(), 1));
    }

    private static Map<String, float[]> gradients(TrainingEngine engine) {
        Map<String, float[]> gradients = new HashMap<>();
        for (NamedTensor tensor : engine.gradients()) {
            gradients.put(tensor.name(), tensor.data().toArray(ValueLayout.JAVA_FLOAT_UNALIGNED));
        }
        return gradients;
    }

    /** Norm of the difference over the norm of the expected. */
    private static double relativeError(float[] actual, float[] expected) {
        assertThat(actual).hasSameSizeAs(expected);
        double difference = 0;
        double norm = 0;
        for (int i = 0; i < actual.length; i++) {
            difference += Math.pow((double) actual[i] - expected[i], 2);
            norm += Math.pow(expected[i], 2);
        }
        return Math.sqrt(difference / norm);
    }

    private static byte[] weights(TrainingEngine engine) {
        try (PublishedWeights snapshot = engine.snapshot()) {
            return snapshot.bytes().toArray(ValueLayout.JAVA_BYTE);
        }
    }

    private static void train(TrainingEngine engine, int steps) throws IOException {
        for (int step = 0; step < steps; step++) {
            engine.backward(engine.forward(LLAMA.group()), LLAMA.floats("coefficients"));
            engine.step(1e-2, 1, 1.0 / LLAMA.group().generatedTokens());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"llama", "qwen2", "qwen3", "qwen3_5", "qwen3_5_vision"})
    void scoresAGroupAsTransformersScoresItsSequences(String name) throws IOException {
        Fixture fixture = new Fixture(name);
        try (TrainingEngine engine = open(fixture, Precision.FP32)) {
            ForwardResult result = engine.evaluate(fixture.group());
            assertThat(result.logProbabilities()).containsExactly(fixture.floats("logProbabilities"), within(1e-4f));
            assertThat(result.entropies()).containsExactly(fixture.floats("entropies"), within(1e-4f));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"llama", "qwen2", "qwen3", "qwen3_5", "qwen3_5_vision"})
    void differentiatesByEveryTensorAsTransformersDoes(String name) throws IOException {
        Fixture fixture = new Fixture(name);
        try (TrainingEngine engine = open(fixture, Precision.FP32)) {
            engine.backward(engine.forward(fixture.group()), fixture.floats("coefficients"));
            gradients(engine)
                    .forEach((tensor, gradient) -> assertThat(
                                    relativeError(gradient, fixture.floats("gradient." + tensor)))
                            .as(tensor)
                            .isLessThan(1e-3));
        }
    }

    @Test
    void differentiatesInBfloat16WithinItsPrecision() throws IOException {
        try (TrainingEngine engine = open(LLAMA, Precision.BF16)) {
            engine.backward(engine.forward(LLAMA.group()), LLAMA.floats("coefficients"));
            gradients(engine)
                    .forEach((tensor, gradient) -> assertThat(
                                    relativeError(gradient, LLAMA.floats("gradient." + tensor)))
                            .as(tensor)
                            .isLessThan(0.05));
        }
    }

    @Test
    void givesAGroupTheGradientOfItsSequencesOneByOne() throws IOException {
        MicroBatch group = LLAMA.group();
        float[] coefficients = LLAMA.floats("coefficients");
        try (TrainingEngine engine = open(LLAMA, Precision.FP32)) {
            engine.backward(engine.forward(group), coefficients);
            Map<String, float[]> together = gradients(engine);
            engine.zeroGradients();
            for (int sample = 0; sample < group.samples().size(); sample++) {
                MicroBatch one =
                        new MicroBatch(group.prompt(), List.of(group.samples().get(sample)));
                int offset = group.offset(sample);
                engine.backward(
                        engine.forward(one), Arrays.copyOfRange(coefficients, offset, offset + one.generatedTokens()));
            }
            gradients(engine)
                    .forEach((tensor, gradient) -> assertThat(relativeError(gradient, together.get(tensor)))
                            .as(tensor)
                            .isLessThan(1e-5));
        }
    }

    @ParameterizedTest
    @EnumSource(Precision.class)
    void givesTheSameGradientToTheBitWhereActivationsAreComputedAgain(Precision precision) throws IOException {
        MicroBatch group = LLAMA.group();
        float[] coefficients = LLAMA.floats("coefficients");
        try (TrainingEngine keeping = open(LLAMA, precision);
                TrainingEngine recomputing = TrainingEngine.open(
                        LLAMA.model(), new TrainingOptions(precision, true, 1, AdamW.recipe(), 1, true))) {
            keeping.backward(keeping.forward(group), coefficients);
            recomputing.backward(recomputing.forward(group), coefficients);
            assertThat(gradients(recomputing)).usingRecursiveComparison().isEqualTo(gradients(keeping));
        }
    }

    @Test
    void givesTheSameWeightsHoweverAGroupIsCutIntoMicroBatches() throws IOException {
        MicroBatch group = LLAMA.group();
        float[] coefficients = LLAMA.floats("coefficients");
        int first = group.samples().getFirst().generatedTokens();
        try (TrainingEngine whole = open(LLAMA, Precision.FP32);
                TrainingEngine cut = open(LLAMA, Precision.FP32)) {
            whole.backward(whole.forward(group), coefficients);
            cut.backward(
                    cut.forward(new MicroBatch(group.prompt(), group.samples().subList(0, 1))),
                    Arrays.copyOf(coefficients, first));
            cut.backward(
                    cut.forward(new MicroBatch(
                            group.prompt(),
                            group.samples().subList(1, group.samples().size()))),
                    Arrays.copyOfRange(coefficients, first, coefficients.length));
            Map<String, float[]> expected = gradients(whole);
            gradients(cut)
                    .forEach((tensor, gradient) -> assertThat(relativeError(gradient, expected.get(tensor)))
                            .as(tensor)
                            .isLessThan(1e-6));
        }
    }

    @ParameterizedTest
    @EnumSource(Precision.class)
    void isDeterministic(Precision precision) throws IOException {
        try (TrainingEngine one = open(LLAMA, precision);
                TrainingEngine other = open(LLAMA, precision)) {
            train(one, 3);
            train(other, 3);
            assertThat(weights(one)).isEqualTo(weights(other));
        }
    }

    @Test
    void dividesLogitsByTheTemperature() throws IOException {
        double temperature = 0.5;
        float step = 1e-2f;
        MicroBatch batch = new MicroBatch(
                LLAMA.group().prompt(), List.of(new Sample(new int[] {LLAMA.greedy()[0]}, new boolean[] {true})));
        try (TrainingEngine plain = open(LLAMA, Precision.FP32);
                TrainingEngine cold = TrainingEngine.open(
                        LLAMA.model(), new TrainingOptions(Precision.FP32, true, 1, AdamW.recipe(), temperature))) {
            assertThat(cold.evaluate(batch).logProbabilities()[0])
                    .isGreaterThan(plain.evaluate(batch).logProbabilities()[0]);
            // The derivative by a common factor of the last norm's gain is that by the inverse temperature, times it.
            cold.backward(cold.forward(batch), new float[] {1});
            float[] gain = bfloat16("model.norm.weight");
            double derivative = 0;
            float[] gradient = gradients(cold).get("model.norm.weight");
            for (int i = 0; i < gain.length; i++) {
                derivative += gain[i] * gradient[i];
            }
            double numeric =
                    (score(batch, temperature / (1 + step)) - score(batch, temperature / (1 - step))) / (2 * step);
            assertThat(derivative).isCloseTo(numeric, within(1e-3));
        }
    }

    private static double score(MicroBatch batch, double temperature) {
        try (TrainingEngine engine = TrainingEngine.open(
                LLAMA.model(), new TrainingOptions(Precision.FP32, true, 1, AdamW.recipe(), temperature))) {
            return engine.evaluate(batch).logProbabilities()[0];
        }
    }

    private static float[] bfloat16(String tensor) {
        short[] bits = LLAMA.model().weights().tensor(tensor).data().toArray(ValueLayout.JAVA_SHORT_UNALIGNED);
        float[] values = new float[bits.length];
        for (int i = 0; i < bits.length; i++) {
            values[i] = Float.intBitsToFloat(bits[i] << 16);
        }
        return values;
    }

    @Test
    void appliesAdamWToTheClippedGradient() throws IOException {
        double rate = 1e-3;
        try (TrainingEngine engine = open(LLAMA, Precision.FP32)) {
            engine.backward(engine.forward(LLAMA.group()), LLAMA.floats("coefficients"));
            float[] gradient = gradients(engine).get("model.norm.weight");
            double norm = 0;
            for (float[] tensor : gradients(engine).values()) {
                for (float element : tensor) {
                    norm += (double) element * element;
                }
            }
            norm = Math.sqrt(norm);
            OptimizerResult result = engine.step(rate, 0.5 * norm, 2);
            assertThat(result.gradientNorm()).isCloseTo(2 * norm, within(1e-4 * norm));
            assertThat(result.clipFactor()).isCloseTo(0.25, within(1e-4));
            assertThat(result.applied()).isTrue();
            assertThat(engine.version()).isEqualTo(1);
            assertThat(gradients(engine).get("model.norm.weight")).containsOnly(0f);
            // The first step of AdamW moves each weight by the rate against its gradient's sign.
            float[] before = bfloat16("model.norm.weight");
            float[] after =
                    engine.master().get(engine.master().size() - 1).data().toArray(ValueLayout.JAVA_FLOAT_UNALIGNED);
            for (int i = 0; i < after.length; i++) {
                assertThat(after[i] - before[i]).isCloseTo((float) (-rate * Math.signum(gradient[i])), within(1e-6f));
            }
        }
    }

    @Test
    void raisesTheProbabilityOfWhatItIsTrainedOn() throws IOException {
        MicroBatch batch = LLAMA.group();
        float[] minus = new float[batch.generatedTokens()];
        Arrays.fill(minus, -1);
        try (TrainingEngine engine = open(LLAMA, Precision.BF16)) {
            double before = sum(engine.evaluate(batch).logProbabilities());
            for (int step = 0; step < 20; step++) {
                engine.backward(engine.forward(batch), minus);
                engine.step(1e-2, 1, 1.0 / minus.length);
            }
            assertThat(sum(engine.evaluate(batch).logProbabilities())).isGreaterThan(0.5 * before);
        }
    }

    private static double sum(float[] values) {
        double sum = 0;
        for (float value : values) {
            sum += value;
        }
        return sum;
    }

    @Test
    void dropsAGradientThatIsNotFiniteAndGoesOn() throws IOException {
        try (TrainingEngine engine = open(LLAMA, Precision.BF16)) {
            byte[] before = weights(engine);
            float[] coefficients = LLAMA.floats("coefficients");
            coefficients[2] = Float.NaN;
            engine.backward(engine.forward(LLAMA.group()), coefficients);
            OptimizerResult skipped = engine.step(1e-2, 1, 1);
            assertThat(skipped.applied()).isFalse();
            assertThat(skipped.gradientNorm()).isNaN();
            assertThat(engine.version()).isZero();
            assertThat(weights(engine)).isEqualTo(before);
            train(engine, 1);
            assertThat(engine.version()).isEqualTo(1);
            assertThat(weights(engine)).isNotEqualTo(before);
        }
    }

    @ParameterizedTest
    @EnumSource(Precision.class)
    void continuesBitEqualAfterARestore(Precision precision, @TempDir Path folder) throws IOException {
        byte[] straight;
        try (TrainingEngine engine = open(LLAMA, precision)) {
            train(engine, 5);
            straight = weights(engine);
        }
        try (TrainingEngine engine = open(LLAMA, precision)) {
            train(engine, 2);
            engine.save(folder);
        }
        try (TrainingEngine engine = open(LLAMA, precision)) {
            train(engine, 1);
            engine.restore(folder);
            assertThat(engine.version()).isEqualTo(2);
            train(engine, 3);
            assertThat(weights(engine)).isEqualTo(straight);
        }
    }

    @Test
    void refusesAnIncompleteStateAndStaysAsItWas(@TempDir Path folder) throws IOException {
        try (TrainingEngine engine = open(LLAMA, Precision.BF16)) {
            train(engine, 1);
            engine.save(folder);
            train(engine, 1);
            byte[] before = weights(engine);
            Files.delete(folder.resolve("second-moment.safetensors"));
            assertThatThrownBy(() -> engine.restore(folder))
                    .isInstanceOf(ModelFormatException.class)
                    .hasMessageContaining("second-moment.safetensors: missing");
            assertThat(weights(engine)).isEqualTo(before);
            assertThat(engine.version()).isEqualTo(2);
        }
    }

    @Test
    void exportsAFolderThatOpensWithTheSameWeights(@TempDir Path folder) throws IOException {
        try (TrainingEngine engine = open(LLAMA, Precision.BF16)) {
            train(engine, 2);
            engine.exportHuggingFace(folder);
            ModelFolder exported = ModelFolder.open(folder);
            try (PublishedWeights snapshot = engine.snapshot()) {
                assertThat(exported.weights().names()).isEqualTo(snapshot.names());
                for (String name : snapshot.names()) {
                    assertThat(exported.weights()
                                    .tensor(name)
                                    .data()
                                    .mismatch(snapshot.tensor(name).data()))
                            .as(name)
                            .isEqualTo(-1);
                }
            }
            assertThat(exported.chatTemplate().continuation("x")).isNotEmpty();
        }
    }

    @Test
    void refusesWhatItCannotScore() throws IOException {
        int[] prompt = LLAMA.group().prompt();
        try (TrainingEngine engine = open(LLAMA, Precision.BF16)) {
            Sample foreign = new Sample(new int[] {320}, new boolean[] {true});
            assertThatThrownBy(() -> engine.forward(new MicroBatch(prompt, List.of(foreign))))
                    .hasMessageContaining("token 320: outside the vocabulary of 320");
            boolean[] all = new boolean[600];
            Arrays.fill(all, true);
            Sample endless = new Sample(new int[600], all);
            assertThatThrownBy(() -> engine.forward(new MicroBatch(prompt, List.of(endless))))
                    .hasMessageContaining("the model has 512 positions");
            ForwardResult evaluated = engine.evaluate(LLAMA.group());
            assertThatThrownBy(() -> engine.backward(evaluated, LLAMA.floats("coefficients")))
                    .hasMessageContaining("evaluated only");
            List<ForwardResult> results = new ArrayList<>();
            results.add(engine.forward(LLAMA.group()));
            assertThatThrownBy(() -> engine.backward(results.getFirst(), new float[3]))
                    .hasMessageContaining("coefficients: 3");
            results.getFirst().close();
        }
    }
}
