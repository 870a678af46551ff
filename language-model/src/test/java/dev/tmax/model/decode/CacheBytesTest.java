package dev.tmax.model.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tmax.model.Fixture;
import dev.tmax.model.Precision;
import dev.tmax.model.train.AdamW;
import dev.tmax.model.train.TrainingEngine;
import dev.tmax.model.train.TrainingOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Decoding within a bound of bytes: what is evicted, what waits, and that no number depends on it. */
class CacheBytesTest {
    private static final Fixture LLAMA = new Fixture("llama");
    private static final SamplingParameters SAMPLED = SamplingParameters.temperature(1);
    private static final int SLOTS = 6;
    private static final int CONTEXT = 192;
    private static final int TURN = 12;
    private static final int[] OBSERVATION = IntStream.range(40, 57).toArray();

    private static DecodeOptions options() {
        return new DecodeOptions(SLOTS, CONTEXT, Precision.FP32, true, 1);
    }

    /** Options under which that many sequences of the whole context fit. */
    private static DecodeOptions options(Fixture fixture, double sequences) {
        long row = options().sequenceBytes(fixture.model().configuration());
        return options().withCacheBytes((long) (sequences * row));
    }

    private static List<int[]> prompts(Fixture fixture) throws IOException {
        int[] common = fixture.group().prompt();
        return List.of(common, common, new int[] {5, 9}, new int[] {7, 11, 30, 31}, common, new int[] {8});
    }

    /** Three turns of every sequence, each resumed as soon as its turn ends; keyed by sequence, in order. */
    private static List<Rollout.Turn> conversations(DecodeEngine engine, List<int[]> prompts, long cacheBytes) {
        Map<Long, Integer> turns = new HashMap<>();
        for (int index = 0; index < prompts.size(); index++) {
            turns.put(engine.start(new Prompt(prompts.get(index)), Rollout.limit(TURN + index), SAMPLED, index), 1);
        }
        Map<Long, Rollout.Turn> sampled = new HashMap<>();
        for (List<SequenceEvent> events = engine.step(); !events.isEmpty(); events = engine.step()) {
            Rollout.collect(sampled, events);
            assertThat(engine.statistics().cacheBytes()).isLessThanOrEqualTo(cacheBytes);
            for (SequenceEvent event : events) {
                if (event instanceof SequenceEvent.Stopped stopped
                        && turns.merge(event.sequence(), 1, Integer::sum) <= 3) {
                    engine.resume(stopped.sequence(), OBSERVATION, Rollout.limit(TURN));
                }
            }
        }
        List<Rollout.Turn> inOrder = new ArrayList<>();
        turns.keySet().stream().sorted().forEach(id -> {
            inOrder.add(sampled.get(id));
            engine.finish(id);
        });
        return inOrder;
    }

    @ParameterizedTest
    @ValueSource(strings = {"llama", "qwen3_5"})
    void tokensAndProbabilitiesAreThoseOfABoundThatIsNeverReached(String name) throws IOException {
        Fixture fixture = new Fixture(name);
        DecodeOptions small = options(fixture, 2.1);
        try (DecodeEngine unbounded = DecodeEngine.open(fixture.model(), options());
                DecodeEngine bounded = DecodeEngine.open(fixture.model(), small)) {
            List<Rollout.Turn> expected = conversations(unbounded, prompts(fixture), DecodeOptions.UNBOUNDED);
            List<Rollout.Turn> turns = conversations(bounded, prompts(fixture), small.cacheBytes());
            assertThat(unbounded.statistics().evictions()).isZero();
            assertThat(bounded.statistics().evictions()).isPositive();
            for (int sequence = 0; sequence < SLOTS; sequence++) {
                assertThat(turns.get(sequence).tokens())
                        .hasSize(3 * TURN + sequence)
                        .isEqualTo(expected.get(sequence).tokens());
                for (int token = 0; token < turns.get(sequence).tokens().size(); token++) {
                    assertThat(turns.get(sequence).logProbabilities().get(token))
                            .isCloseTo(expected.get(sequence).logProbabilities().get(token), within(1e-4f));
                }
            }
        }
    }

    @Test
    void turnsWaitForRunningOnesInTheOrderInWhichTheyWereAskedFor() throws IOException {
        try (DecodeEngine engine = DecodeEngine.open(LLAMA.model(), options(LLAMA, 2.1))) {
            List<Long> ids = new ArrayList<>();
            for (int sequence = 0; sequence < 4; sequence++) {
                ids.add(engine.start(new Prompt(new int[] {5}), Rollout.limit(CONTEXT), SAMPLED, sequence));
            }
            assertThat(sequencesOf(engine.step())).containsExactly(ids.get(0), ids.get(1));
            assertThat(engine.statistics().queued()).isEqualTo(2);
            engine.finish(ids.get(0));
            assertThat(sequencesOf(engine.step())).containsExactly(ids.get(1), ids.get(2));
            assertThat(engine.statistics().queued()).isEqualTo(1);
        }
    }

    private static List<Long> sequencesOf(List<SequenceEvent> events) {
        return events.stream().map(SequenceEvent::sequence).sorted().toList();
    }

    @Test
    void theSequenceWhoseTurnBeganLongestAgoIsEvictedAndComputedAgain() throws IOException {
        try (DecodeEngine engine = DecodeEngine.open(LLAMA.model(), options(LLAMA, 2.9))) {
            int[] prompt = IntStream.range(10, 50).toArray();
            long first = turn(engine, prompt);
            long second = turn(engine, new int[] {7});
            turn(engine, new int[] {8});
            assertThat(engine.statistics().evictions()).isEqualTo(1);
            long before = engine.statistics().prefillTokens();
            engine.resume(second, OBSERVATION, Rollout.limit(1));
            engine.step();
            assertThat(engine.statistics().prefillTokens() - before).isEqualTo(1 + OBSERVATION.length);
            engine.resume(first, OBSERVATION, Rollout.limit(1));
            engine.step();
            assertThat(engine.statistics().prefillTokens() - before).isGreaterThan(OBSERVATION.length + CONTEXT / 2);
        }
    }

    /** A turn as long as leaves room for an observation and one token. */
    private static long turn(DecodeEngine engine, int[] prompt) {
        long id = engine.start(
                new Prompt(prompt), Rollout.limit(CONTEXT - prompt.length - OBSERVATION.length - 1), SAMPLED, 1);
        Rollout.run(engine);
        return id;
    }

    @Test
    void aSequenceThatAloneDoesNotFitIsRefusedWithTheBytesThatItNeeds() throws IOException {
        DecodeOptions half = options(LLAMA, 0.5);
        long needed = options(LLAMA, 1).cacheBytes();
        try (DecodeEngine engine = DecodeEngine.open(LLAMA.model(), half)) {
            assertThatThrownBy(() -> engine.start(new Prompt(new int[] {5}), Rollout.limit(CONTEXT), SAMPLED, 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(CONTEXT + " tokens need " + needed + " bytes")
                    .hasMessageContaining("cacheBytes allows " + half.cacheBytes())
                    .hasMessageContaining("give at least " + needed);
            assertThat(engine.freeSlots()).isEqualTo(SLOTS);
            long id = engine.start(new Prompt(new int[] {5}), Rollout.limit(10), SAMPLED, 0);
            assertThat(Rollout.run(engine).get(id).tokens()).hasSize(10);
            assertThatThrownBy(() -> engine.resume(id, OBSERVATION, Rollout.limit(CONTEXT)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("sequence " + id);
            engine.resume(id, OBSERVATION, Rollout.limit(10));
            assertThat(Rollout.run(engine).get(id).tokens()).hasSize(10);
        }
    }

    @Test
    void anEvictedSequenceGoesOnAsIfTheNewWeightsHadComputedAllOfIt() throws IOException {
        try (DecodeEngine engine = DecodeEngine.open(LLAMA.model(), options(LLAMA, 1.1));
                TrainingEngine trainer = TrainingEngine.open(
                        LLAMA.model(), new TrainingOptions(Precision.FP32, true, 1, AdamW.recipe(), 1))) {
            int[] prompt = LLAMA.group().prompt();
            long id = engine.start(new Prompt(prompt), Rollout.limit(TURN), SamplingParameters.greedy(), 0);
            Rollout.Turn first = Rollout.run(engine).get(id);
            Rollout.single(engine, new int[] {5}, CONTEXT - 1, SAMPLED, 1);
            assertThat(engine.statistics().evictions()).isEqualTo(1);
            trainer.backward(trainer.forward(LLAMA.group()), LLAMA.floats("coefficients"));
            trainer.step(1e-2, 1, 1);
            engine.swap(3, trainer.snapshot());

            engine.resume(id, OBSERVATION, Rollout.limit(TURN));
            Rollout.Turn second = Rollout.run(engine).get(id);
            engine.finish(id);
            int[] whole = IntStream.concat(
                            IntStream.concat(IntStream.of(prompt), IntStream.of(first.ids())),
                            IntStream.of(OBSERVATION))
                    .toArray();
            Rollout.Turn fresh = Rollout.single(engine, whole, TURN, SamplingParameters.greedy(), 0);
            assertThat(first.versions()).containsOnly(0L);
            assertThat(second.versions()).containsOnly(3L);
            assertThat(second.tokens()).isEqualTo(fresh.tokens());
            assertThat(second.logProbabilities().getFirst())
                    .isCloseTo(fresh.logProbabilities().getFirst(), within(1e-5f));
        }
    }
}
