package dev.tmax.model.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tmax.model.Fixture;
import dev.tmax.model.Precision;
import dev.tmax.model.decode.DecodeEngine;
import dev.tmax.model.decode.DecodeOptions;
import dev.tmax.model.decode.GenerationLimits;
import dev.tmax.model.decode.Prompt;
import dev.tmax.model.decode.SamplingParameters;
import dev.tmax.model.decode.SequenceEvent;
import dev.tmax.model.weights.NamedTensor;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
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
        int[] prompt = HYBRID.group().prompt();
        Map<Long, List<SequenceEvent.Token>> tokens = new TreeMap<>();
        try (DecodeEngine generator =
                DecodeEngine.open(HYBRID.model(), new DecodeOptions(SAMPLES, 160, precision, true, 1))) {
            for (int sample = 0; sample < SAMPLES; sample++) {
                generator.start(
                        new Prompt(prompt),
                        new GenerationLimits(20 + 15 * sample, List.of(), Set.of()),
                        SamplingParameters.temperature(1),
                        sample);
            }
            for (List<SequenceEvent> events = generator.step(); !events.isEmpty(); events = generator.step()) {
                for (SequenceEvent event : events) {
                    if (event instanceof SequenceEvent.Token token) {
                        tokens.computeIfAbsent(token.sequence(), id -> new ArrayList<>())
                                .add(token);
                    }
                }
            }
        }
        List<Sample> samples = new ArrayList<>();
        List<Float> recorded = new ArrayList<>();
        for (List<SequenceEvent.Token> sample : tokens.values()) {
            boolean[] generated = new boolean[sample.size()];
            Arrays.fill(generated, true);
            samples.add(new Sample(
                    sample.stream().mapToInt(SequenceEvent.Token::token).toArray(), generated));
            sample.forEach(token -> recorded.add(token.logProbability()));
        }
        try (TrainingEngine trainer = open(precision)) {
            float[] learned = trainer.evaluate(new MicroBatch(prompt, samples)).logProbabilities();
            double sum = 0;
            double largest = 0;
            for (int i = 0; i < learned.length; i++) {
                double difference = Math.abs(learned[i] - recorded.get(i));
                sum += difference;
                largest = Math.max(largest, difference);
            }
            assertThat(sum / learned.length).isLessThan(mean);
            assertThat(largest).isLessThan(most);
        }
    }
}
