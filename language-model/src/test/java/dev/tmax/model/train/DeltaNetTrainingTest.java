package dev.tmax.model.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tmax.model.Fixture;
import dev.tmax.model.Precision;
import dev.tmax.model.decode.DecodeEngine;
import dev.tmax.model.decode.DecodeOptions;
import dev.tmax.model.weights.NamedTensor;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Training of a model with delta-net layers, whose samples continue the prompt's state in the packed row. */
class DeltaNetTrainingTest {
    private static final Fixture HYBRID = new Fixture("qwen3_5");
    private static final int SAMPLES = 4;

    private static TrainingEngine open(Precision precision) {
        return TrainingEngine.open(HYBRID.model(), new TrainingOptions(precision, true, 1, AdamW.recipe(), 1));
    }

    @Test
    void givesAGroupTheGradientOfItsSequencesOneByOne() throws IOException {
        MicroBatch group = HYBRID.group();
        float[] coefficients = HYBRID.floats("coefficients");
        try (TrainingEngine engine = open(Precision.FP32)) {
            engine.backward(engine.forward(group), coefficients);
            Map<String, float[]> together = new HashMap<>();
            for (NamedTensor tensor : engine.gradients()) {
                together.put(tensor.name(), tensor.data().toArray(ValueLayout.JAVA_FLOAT_UNALIGNED));
            }
            engine.zeroGradients();
            for (int sample = 0; sample < group.samples().size(); sample++) {
                MicroBatch one =
                        new MicroBatch(group.prompt(), List.of(group.samples().get(sample)));
                int offset = group.offset(sample);
                engine.backward(
                        engine.forward(one), Arrays.copyOfRange(coefficients, offset, offset + one.generatedTokens()));
            }
            for (NamedTensor tensor : engine.gradients()) {
                float[] apart = tensor.data().toArray(ValueLayout.JAVA_FLOAT_UNALIGNED);
                assertThat(relativeError(apart, together.get(tensor.name())))
                        .as(tensor.name())
                        .isLessThan(2e-5);
            }
        }
    }

    private static double relativeError(float[] actual, float[] expected) {
        double difference = 0;
        double norm = 0;
        for (int i = 0; i < actual.length; i++) {
            difference += Math.pow((double) actual[i] - expected[i], 2);
            norm += Math.pow(expected[i], 2);
        }
        return Math.sqrt(difference / norm);
    }

    @ParameterizedTest
    @CsvSource({"FP32, 5e-6, 5e-5", "BF16, 2e-3, 5e-2"})
    void learnsFromTheProbabilitiesThatDecodingRecorded(Precision precision, double mean, double most)
            throws IOException {
        RecordedSamples samples;
        try (DecodeEngine generator =
                DecodeEngine.open(HYBRID.model(), new DecodeOptions(SAMPLES, 160, precision, true, 1))) {
            samples = RecordedSamples.draw(generator, HYBRID.group().prompt(), SAMPLES, sample -> 20 + 15 * sample, 1);
        }
        try (TrainingEngine trainer = open(precision)) {
            RecordedSamples.Differences differences = samples.against(trainer);
            assertThat(differences.mean()).isLessThan(mean);
            assertThat(differences.most()).isLessThan(most);
        }
    }
}
