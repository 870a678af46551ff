package dev.tmax.model.train;

import dev.tmax.model.decode.DecodeEngine;
import dev.tmax.model.decode.GenerationLimits;
import dev.tmax.model.decode.Prompt;
import dev.tmax.model.decode.SamplingParameters;
import dev.tmax.model.decode.SequenceEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;

/**
 * Samples that decoding drew, with the log-probability that it recorded of each token.
 *
 * @param recorded one a generated token, in the order of the batch
 */
record RecordedSamples(MicroBatch batch, List<Float> recorded) {

    /** How far the learner's log-probabilities are from the recorded: in the mean, and at the most. */
    record Differences(double mean, double most) {}

    /** @param lengths tokens of each sample */
    static RecordedSamples draw(
            DecodeEngine generator, int[] prompt, int samples, IntUnaryOperator lengths, double temperature) {
        for (int sample = 0; sample < samples; sample++) {
            generator.start(
                    new Prompt(prompt),
                    new GenerationLimits(lengths.applyAsInt(sample), List.of(), Set.of()),
                    SamplingParameters.temperature(temperature),
                    sample);
        }
        Map<Long, List<SequenceEvent.Token>> tokens = new TreeMap<>();
        for (List<SequenceEvent> events = generator.step(); !events.isEmpty(); events = generator.step()) {
            for (SequenceEvent event : events) {
                if (event instanceof SequenceEvent.Token token) {
                    tokens.computeIfAbsent(token.sequence(), id -> new ArrayList<>())
                            .add(token);
                }
            }
        }
        List<Sample> drawn = new ArrayList<>();
        List<Float> recorded = new ArrayList<>();
        for (List<SequenceEvent.Token> sample : tokens.values()) {
            boolean[] generated = new boolean[sample.size()];
            Arrays.fill(generated, true);
            drawn.add(new Sample(
                    sample.stream().mapToInt(SequenceEvent.Token::token).toArray(), generated));
            sample.forEach(token -> recorded.add(token.logProbability()));
        }
        return new RecordedSamples(new MicroBatch(prompt, drawn), recorded);
    }

    Differences against(TrainingEngine trainer) {
        float[] learned = trainer.evaluate(batch).logProbabilities();
        double sum = 0;
        double most = 0;
        for (int i = 0; i < learned.length; i++) {
            double difference = Math.abs(learned[i] - recorded.get(i));
            sum += difference;
            most = Math.max(most, difference);
        }
        return new Differences(sum / learned.length, most);
    }
}
