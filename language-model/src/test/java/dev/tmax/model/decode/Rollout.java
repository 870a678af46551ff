package dev.tmax.model.decode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Runs an engine until its sequences have stopped, and collects what they sampled. */
final class Rollout {
    record Turn(List<Integer> tokens, List<Float> logProbabilities, List<Long> versions, StopReason reason) {
        int[] ids() {
            return tokens.stream().mapToInt(Integer::intValue).toArray();
        }
    }

    private Rollout() {}

    static GenerationLimits limit(int tokens) {
        return new GenerationLimits(tokens, List.of(), Set.of());
    }

    static Map<Long, Turn> run(DecodeEngine engine) {
        Map<Long, Turn> turns = new HashMap<>();
        for (List<SequenceEvent> events = engine.step(); !events.isEmpty(); events = engine.step()) {
            collect(turns, events);
        }
        return turns;
    }

    static void collect(Map<Long, Turn> turns, List<SequenceEvent> events) {
        for (SequenceEvent event : events) {
            Turn turn = turns.computeIfAbsent(
                    event.sequence(), id -> new Turn(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), null));
            switch (event) {
                case SequenceEvent.Token token -> {
                    turn.tokens.add(token.token());
                    turn.logProbabilities.add(token.logProbability());
                    turn.versions.add(token.policyVersion());
                }
                case SequenceEvent.Stopped stopped ->
                    turns.put(
                            stopped.sequence(),
                            new Turn(turn.tokens, turn.logProbabilities, turn.versions, stopped.reason()));
            }
        }
    }

    static Turn single(DecodeEngine engine, int[] prompt, int tokens, SamplingParameters sampling, long seed) {
        long id = engine.start(new Prompt(prompt), limit(tokens), sampling, seed);
        Turn turn = run(engine).get(id);
        engine.finish(id);
        return turn;
    }
}
