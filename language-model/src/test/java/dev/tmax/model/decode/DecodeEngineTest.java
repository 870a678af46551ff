package dev.tmax.model.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tmax.model.Fixture;
import dev.tmax.model.ModelFolder;
import dev.tmax.model.Precision;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class DecodeEngineTest {
    private static final Fixture LLAMA = new Fixture("llama");
    private static final SamplingParameters SAMPLED = SamplingParameters.temperature(1);

    private static DecodeEngine open(Fixture fixture, int slots, Precision precision) {
        return DecodeEngine.open(fixture.model(), new DecodeOptions(slots, 256, precision, true, 1));
    }

    private static int[] prompt() {
        try {
            return LLAMA.group().prompt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"llama", "qwen2", "qwen3", "qwen3_5", "qwen3_5_vision"})
    void continuesGreedilyAsTransformersDoes(String name) throws IOException {
        Fixture fixture = new Fixture(name);
        DecodeOptions options = new DecodeOptions(1, 300, Precision.FP32, true, 1);
        try (DecodeEngine engine = DecodeEngine.open(fixture.model(), options)) {
            int[] tokens = Rollout.single(engine, fixture.group().prompt(), 200, SamplingParameters.greedy(), 0)
                    .ids();
            assertThat(tokens).isEqualTo(fixture.greedy());
        }
    }

    @ParameterizedTest
    @EnumSource(Precision.class)
    void givesTheSameTokensForASeedWhateverElseIsInTheBatch(Precision precision) {
        try (DecodeEngine engine = open(LLAMA, 8, precision)) {
            Rollout.Turn alone = Rollout.single(engine, prompt(), 60, SAMPLED, 7);
            Map<Long, Rollout.Turn> turns = new HashMap<>();
            for (int other = 0; other < 3; other++) {
                engine.start(new Prompt(new int[] {5 + other, 9}), Rollout.limit(10 + 30 * other), SAMPLED, other);
            }
            Rollout.collect(turns, engine.step());
            long id = engine.start(new Prompt(prompt()), Rollout.limit(60), SAMPLED, 7);
            for (int step = 0; step < 20; step++) {
                Rollout.collect(turns, engine.step());
            }
            engine.start(new Prompt(prompt()), Rollout.limit(20), SAMPLED, 8);
            Rollout.run(engine)
                    .forEach((sequence, turn) -> turns.merge(sequence, turn, (first, second) -> {
                        List<Integer> tokens = new ArrayList<>(first.tokens());
                        tokens.addAll(second.tokens());
                        return new Rollout.Turn(tokens, first.logProbabilities(), first.versions(), second.reason());
                    }));
            assertThat(turns.get(id).tokens()).isEqualTo(alone.tokens());
        }
    }

    @Test
    void computesThePromptOfAGroupOnce() {
        try (DecodeEngine engine = open(LLAMA, 4, Precision.FP32)) {
            List<Long> ids = new ArrayList<>();
            for (int sample = 0; sample < 4; sample++) {
                ids.add(engine.start(new Prompt(prompt()), Rollout.limit(12), SAMPLED, sample));
            }
            Map<Long, Rollout.Turn> group = Rollout.run(engine);
            assertThat(engine.statistics().prefillTokens()).isEqualTo(prompt().length);
            assertThat(engine.statistics().prefixHits()).isEqualTo(3);
            try (DecodeEngine uncached = DecodeEngine.open(
                    LLAMA.model(), new DecodeOptions(1, 256, Precision.FP32, true, 1, 0, DecodeOptions.UNBOUNDED))) {
                for (int sample = 0; sample < 4; sample++) {
                    assertThat(Rollout.single(uncached, prompt(), 12, SAMPLED, sample))
                            .isEqualTo(group.get(ids.get(sample)));
                }
                assertThat(uncached.statistics().prefixHits()).isZero();
            }
        }
    }

    @Test
    void continuesATurnOnItsCacheAsIfTheWholeConversationWereAPrompt() {
        int[] observation = {40, 41, 42, 43};
        try (DecodeEngine engine = open(LLAMA, 3, Precision.FP32)) {
            long id = engine.start(new Prompt(prompt()), Rollout.limit(6), SamplingParameters.greedy(), 0);
            long other = engine.start(new Prompt(new int[] {8}), Rollout.limit(30), SAMPLED, 0);
            List<Integer> first = new ArrayList<>();
            for (int step = 0; step < 10; step++) {
                engine.step().forEach(event -> {
                    if (event instanceof SequenceEvent.Token token && token.sequence() == id) {
                        first.add(token.token());
                    }
                });
            }
            engine.finish(other);
            engine.resume(id, observation, Rollout.limit(20));
            Rollout.Turn second = Rollout.run(engine).get(id);
            int[] whole = IntStream.concat(
                            IntStream.concat(
                                    Arrays.stream(prompt()), first.stream().mapToInt(Integer::intValue)),
                            Arrays.stream(observation))
                    .toArray();
            Rollout.Turn expected = Rollout.single(engine, whole, 20, SamplingParameters.greedy(), 0);
            assertThat(second.tokens()).isEqualTo(expected.tokens());
            assertThat(first).hasSize(6);
        }
    }

    @Test
    void growsItsCacheUnderRunningSequences() {
        int tokens = 400;
        try (DecodeEngine engine =
                        DecodeEngine.open(LLAMA.model(), new DecodeOptions(2, 500, Precision.FP32, true, 1));
                DecodeEngine whole =
                        DecodeEngine.open(LLAMA.model(), new DecodeOptions(1, 500, Precision.FP32, true, 1))) {
            long id = engine.start(new Prompt(prompt()), Rollout.limit(tokens), SamplingParameters.greedy(), 0);
            engine.start(new Prompt(new int[] {9, 8}), Rollout.limit(tokens), SAMPLED, 6);
            Rollout.Turn grown = Rollout.run(engine).get(id);
            int[] conversation = IntStream.concat(
                            Arrays.stream(prompt()), Arrays.stream(grown.ids()).limit(tokens - 1))
                    .toArray();
            Rollout.Turn last = Rollout.single(whole, conversation, 1, SamplingParameters.greedy(), 0);
            assertThat(grown.tokens().getLast()).isEqualTo(last.tokens().getFirst());
            assertThat(grown.logProbabilities().getLast())
                    .isCloseTo(last.logProbabilities().getFirst(), within(1e-5f));
        }
    }

    @Test
    void stopsAtAStopTokenAStopStringTheLimitAndTheEndOfTheContext() {
        ModelFolder model = LLAMA.model();
        int[] greedy = LLAMA.greedy();
        try (DecodeEngine engine =
                DecodeEngine.open(model, new DecodeOptions(2, prompt().length + 30, Precision.FP32, true, 1))) {
            String text = model.tokenizer().decode(Arrays.copyOf(greedy, 12));
            String stop = text.substring(text.length() - 2);
            assertThat(reason(engine, new GenerationLimits(100, List.of(), Set.of(greedy[3]))))
                    .isEqualTo(StopReason.STOP_TOKEN);
            assertThat(reason(engine, new GenerationLimits(100, List.of("never seen", stop), Set.of())))
                    .isEqualTo(StopReason.STOP_STRING);
            assertThat(reason(engine, Rollout.limit(5))).isEqualTo(StopReason.LIMIT);
            assertThat(reason(engine, Rollout.limit(100))).isEqualTo(StopReason.CONTEXT);
        }
    }

    private static StopReason reason(DecodeEngine engine, GenerationLimits limits) {
        long id = engine.start(new Prompt(prompt()), limits, SamplingParameters.greedy(), 0);
        Rollout.Turn turn = Rollout.run(engine).get(id);
        engine.finish(id);
        return turn.reason();
    }

    @Test
    void recordsTheVersionOfEachTokenAndGoesOnAcrossASwap() {
        ModelFolder model = LLAMA.model();
        try (DecodeEngine engine = open(LLAMA, 2, Precision.FP32)) {
            long id = engine.start(new Prompt(prompt()), Rollout.limit(10), SamplingParameters.greedy(), 0);
            Map<Long, Rollout.Turn> turns = new HashMap<>();
            for (int step = 0; step < 4; step++) {
                Rollout.collect(turns, engine.step());
            }
            engine.swap(3, model.weights());
            for (int step = 0; step < 6; step++) {
                Rollout.collect(turns, engine.step());
            }
            assertThat(turns.get(id).versions()).containsExactly(0L, 0L, 0L, 0L, 3L, 3L, 3L, 3L, 3L, 3L);
            assertThat(turns.get(id).ids()).isEqualTo(Arrays.copyOf(LLAMA.greedy(), 10));
            assertThat(engine.statistics().prefixCacheBytes()).isZero();
        }
    }

    @Test
    void refusesMoreSequencesThanSlotsAndPromptsWithoutRoom() {
        try (DecodeEngine engine = open(LLAMA, 1, Precision.FP32)) {
            long id = engine.start(new Prompt(prompt()), Rollout.limit(10), SAMPLED, 0);
            assertThatThrownBy(() -> engine.start(new Prompt(prompt()), Rollout.limit(10), SAMPLED, 0))
                    .hasMessageContaining("all 1 slots are held");
            engine.finish(id);
            assertThatThrownBy(() -> engine.start(new Prompt(new int[256]), Rollout.limit(10), SAMPLED, 0))
                    .hasMessageContaining("leave no room in a context of 256");
            assertThatThrownBy(() -> engine.start(new Prompt(new int[] {320}), Rollout.limit(10), SAMPLED, 0))
                    .hasMessageContaining("outside the vocabulary of 320");
            assertThatThrownBy(() -> engine.finish(id)).hasMessageContaining("unknown or finished");
        }
    }

    @Test
    void drawsWithTheModelsFrequencies() {
        int draws = 4000;
        try (DecodeEngine engine = open(LLAMA, 1, Precision.FP32)) {
            int mostProbable = LLAMA.greedy()[0];
            int hits = 0;
            double probability = 0;
            for (int seed = 0; seed < draws; seed++) {
                Rollout.Turn turn = Rollout.single(engine, prompt(), 1, SAMPLED, seed);
                if (turn.tokens().getFirst() == mostProbable) {
                    hits++;
                    probability = Math.exp(turn.logProbabilities().getFirst());
                }
            }
            double deviation = Math.sqrt(probability * (1 - probability) / draws);
            assertThat((double) hits / draws).isCloseTo(probability, within(5 * deviation));
        }
    }

    @Test
    void keepsOnlyTheMostProbableTokensWithTopKAndTopP() {
        try (DecodeEngine engine = open(LLAMA, 1, Precision.FP32)) {
            int mostProbable = LLAMA.greedy()[0];
            for (SamplingParameters one :
                    List.of(new SamplingParameters(1, 1, 1), new SamplingParameters(1, 1e-6, 0))) {
                Rollout.Turn turn = Rollout.single(engine, prompt(), 1, one, 3);
                assertThat(turn.tokens()).containsExactly(mostProbable);
                assertThat(turn.logProbabilities().getFirst()).isCloseTo(0, within(1e-6f));
            }
        }
    }
}
