package dev.tmax.model.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tmax.model.Fixture;
import dev.tmax.model.Precision;
import dev.tmax.model.decode.DecodeEngine;
import dev.tmax.model.decode.DecodeOptions;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The probability recorded when a token is sampled is the one that the learner computes with the same weights. */
class TrainerGeneratorAgreementTest {
    private static final int SAMPLES = 8;
    private static final double TEMPERATURE = 0.8;

    @ParameterizedTest
    @CsvSource({
        "llama, FP32, 2e-6, 1e-5",
        "qwen2, FP32, 2e-6, 1e-5",
        "qwen3, FP32, 2e-6, 1e-5",
        "llama, BF16, 2e-6, 1e-5",
        "qwen2, BF16, 2e-6, 1e-5",
        "qwen3, BF16, 2e-6, 1e-5"
    })
    void agreeAfterOptimizerStepsAndASwap(String name, Precision precision, double mean, double most)
            throws IOException {
        RecordedSamples.Differences differences = afterSteps(new Fixture(name), precision);
        assertThat(differences.mean()).isLessThan(mean);
        assertThat(differences.most()).isLessThan(most);
    }

    private static RecordedSamples.Differences afterSteps(Fixture fixture, Precision precision) throws IOException {
        try (TrainingEngine trainer = TrainingEngine.open(
                        fixture.model(), new TrainingOptions(precision, true, 1, AdamW.recipe(), TEMPERATURE));
                DecodeEngine generator =
                        DecodeEngine.open(fixture.model(), new DecodeOptions(SAMPLES, 128, precision, true, 1))) {
            for (int step = 0; step < 3; step++) {
                trainer.backward(trainer.forward(fixture.group()), fixture.floats("coefficients"));
                trainer.step(1e-3, 1, 1);
            }
            try (PublishedWeights weights = trainer.snapshot()) {
                generator.swap(weights.version(), weights);
            }
            return RecordedSamples.draw(
                            generator, fixture.group().prompt(), SAMPLES, sample -> 20 + 5 * sample, TEMPERATURE)
                    .against(trainer);
        }
    }

    @Test
    void areCloserToFloat32WithAFloatHeadThanWithoutOne() {
        int tokens = 300;
        boolean[] generated = new boolean[tokens];
        Arrays.fill(generated, true);
        MicroBatch batch = new MicroBatch(
                new int[] {1},
                List.of(new Sample(new Random(1).ints(tokens, 3, 320).toArray(), generated)));
        float[] exact = score(batch, Precision.FP32, true);
        assertThat(meanDifference(score(batch, Precision.BF16, true), exact))
                .isLessThan(meanDifference(score(batch, Precision.BF16, false), exact));
    }

    private static float[] score(MicroBatch batch, Precision precision, boolean floatHead) {
        try (TrainingEngine engine = TrainingEngine.open(
                new Fixture("llama").model(),
                new TrainingOptions(precision, floatHead, 1, AdamW.recipe(), TEMPERATURE))) {
            return engine.evaluate(batch).logProbabilities();
        }
    }

    private static double meanDifference(float[] values, float[] expected) {
        double sum = 0;
        for (int i = 0; i < values.length; i++) {
            sum += Math.abs(values[i] - expected[i]);
        }
        return sum / values.length;
    }
}
