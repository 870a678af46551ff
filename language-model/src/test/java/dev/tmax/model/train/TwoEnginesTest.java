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
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Gradient mode and thread counts belong to threads, so a trainer and a generator do not disturb each other. */
class TwoEnginesTest {
    private static final Fixture LLAMA = new Fixture("llama");
    private static final int ROUNDS = 10;

    @Test
    void computeTheSameTogetherInOneProcessAsAlone() throws Exception {
        List<Float> trainedAlone = train();
        List<SequenceEvent> decodedAlone = decode();
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            Future<List<Float>> trained = threads.submit(TwoEnginesTest::train);
            Future<List<SequenceEvent>> decoded = threads.submit(TwoEnginesTest::decode);
            assertThat(trained.get()).isEqualTo(trainedAlone);
            assertThat(decoded.get()).isEqualTo(decodedAlone);
        }
    }

    private static List<Float> train() throws IOException {
        List<Float> values = new ArrayList<>();
        try (TrainingEngine engine =
                TrainingEngine.open(LLAMA.model(), new TrainingOptions(Precision.BF16, true, 2, AdamW.recipe(), 1))) {
            for (int round = 0; round < ROUNDS; round++) {
                ForwardResult result = engine.forward(LLAMA.group());
                for (float value : result.logProbabilities()) {
                    values.add(value);
                }
                engine.backward(result, LLAMA.floats("coefficients"));
                engine.step(1e-3, 1, 1);
            }
        }
        return values;
    }

    private static List<SequenceEvent> decode() throws IOException {
        List<SequenceEvent> all = new ArrayList<>();
        try (DecodeEngine engine =
                DecodeEngine.open(LLAMA.model(), new DecodeOptions(4, 128, Precision.FP32, true, 1))) {
            for (int round = 0; round < ROUNDS; round++) {
                long id = engine.start(
                        new Prompt(LLAMA.group().prompt()),
                        new GenerationLimits(30, List.of(), Set.of()),
                        SamplingParameters.temperature(1),
                        round);
                for (List<SequenceEvent> events = engine.step(); !events.isEmpty(); events = engine.step()) {
                    all.addAll(events);
                }
                engine.finish(id);
            }
        }
        return all;
    }
}
