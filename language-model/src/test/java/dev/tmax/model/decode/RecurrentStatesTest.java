package dev.tmax.model.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tmax.model.Fixture;
import dev.tmax.model.Precision;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A sequence's recurrent state stays with it, whatever happens to slots, on a model with delta-net layers. */
class RecurrentStatesTest {
    private static final Fixture HYBRID = new Fixture("qwen3_5");
    private static final SamplingParameters SAMPLED = SamplingParameters.temperature(1);

    private int[] prompt;

    @BeforeEach
    void readThePrompt() throws Exception {
        prompt = HYBRID.group().prompt();
    }

    private static DecodeEngine open(int slots, Precision precision) {
        return DecodeEngine.open(HYBRID.model(), new DecodeOptions(slots, 256, precision, true, 1));
    }

    private static List<Integer> tokens(DecodeEngine engine, long sequence, int steps) {
        List<Integer> tokens = new ArrayList<>();
        for (int step = 0; step < steps; step++) {
            for (SequenceEvent event : engine.step()) {
                if (event instanceof SequenceEvent.Token token && token.sequence() == sequence) {
                    tokens.add(token.token());
                }
            }
        }
        return tokens;
    }

    @Test
    void followsASequenceThatIsMovedToAnotherSlot() {
        for (Precision precision : Precision.values()) {
            try (DecodeEngine engine = open(3, precision)) {
                Rollout.Turn alone = Rollout.single(engine, prompt, 40, SAMPLED, 7);
                long first = engine.start(new Prompt(new int[] {5, 9}), Rollout.limit(3), SAMPLED, 1);
                long second = engine.start(new Prompt(new int[] {6, 8}), Rollout.limit(12), SAMPLED, 2);
                long id = engine.start(new Prompt(prompt), Rollout.limit(40), SAMPLED, 7);
                // The first slot waits after 3 tokens and is exchanged; the second is freed and filled.
                List<Integer> moved = tokens(engine, id, 20);
                engine.finish(second);
                moved.addAll(tokens(engine, id, 20));
                assertThat(moved).as(precision.name()).isEqualTo(alone.tokens());
                engine.finish(first);
            }
        }
    }

    @Test
    void isTakenFromThePromptsForTheWholeGroup() {
        try (DecodeEngine engine = open(4, Precision.FP32)) {
            List<Long> ids = new ArrayList<>();
            for (int sample = 0; sample < 4; sample++) {
                ids.add(engine.start(new Prompt(prompt), Rollout.limit(12), SAMPLED, sample));
            }
            Map<Long, Rollout.Turn> group = Rollout.run(engine);
            assertThat(engine.statistics().prefixHits()).isEqualTo(3);
            try (DecodeEngine uncached = DecodeEngine.open(
                    HYBRID.model(), new DecodeOptions(1, 256, Precision.FP32, true, 1, 0, DecodeOptions.UNBOUNDED))) {
                for (int sample = 0; sample < 4; sample++) {
                    assertThat(Rollout.single(uncached, prompt, 12, SAMPLED, sample))
                            .isEqualTo(group.get(ids.get(sample)));
                }
            }
        }
    }

    @Test
    void goesOnAfterAnObservationAsIfTheWholeConversationWereAPrompt() {
        int[] observation = IntStream.range(40, 80).toArray();
        try (DecodeEngine engine = open(2, Precision.FP32)) {
            Map<Long, Rollout.Turn> turns = new HashMap<>();
            long id = engine.start(new Prompt(prompt), Rollout.limit(6), SamplingParameters.greedy(), 0);
            long other = engine.start(new Prompt(new int[] {8}), Rollout.limit(30), SAMPLED, 0);
            for (int step = 0; step < 10; step++) {
                Rollout.collect(turns, engine.step());
            }
            engine.finish(other);
            int[] whole = IntStream.concat(
                            IntStream.concat(
                                    Arrays.stream(prompt),
                                    Arrays.stream(turns.get(id).ids())),
                            Arrays.stream(observation))
                    .toArray();
            engine.resume(id, observation, Rollout.limit(20));
            Rollout.Turn second = Rollout.run(engine).get(id);
            Rollout.Turn expected = Rollout.single(engine, whole, 20, SamplingParameters.greedy(), 0);
            assertThat(second.tokens()).isEqualTo(expected.tokens());
            for (int i = 0; i < 20; i++) {
                assertThat(second.logProbabilities().get(i))
                        .isCloseTo(expected.logProbabilities().get(i), within(1e-4f));
            }
        }
    }
}
