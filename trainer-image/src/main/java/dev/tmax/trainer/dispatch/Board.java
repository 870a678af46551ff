package dev.tmax.trainer.dispatch;

import dev.tmax.trainer.buffer.CompleteGroup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Who is connected and what is under way. Guarded by the dispatcher's lock. */
final class Board {

    /**
     * A group that waits for the learner.
     *
     * @param deadline last learner version that may train it
     */
    record Waiting(CompleteGroup group, long deadline) {}

    final Map<String, GeneratorSession> generators = new TreeMap<>();
    final Map<String, OpenEpisode> episodes = new LinkedHashMap<>();
    /** Training groups by number of their prompt. */
    final Map<Long, OpenGroup> training = new TreeMap<>();

    final List<OpenGroup> heldOut = new ArrayList<>();
    final List<Waiting> waiting = new ArrayList<>();

    /** Groups that count against the bound of the run. */
    int outstanding() {
        return training.size() + waiting.size();
    }

    /** Deadlines of training groups that have one: begun, or complete. */
    List<Long> deadlines(DispatchSettings settings) {
        Stream<Long> open = training.values().stream()
                .filter(group -> group.begun() || group.generator().isPresent())
                .map(group -> settings.staleness().deadline(group.weightsVersion()));
        return Stream.concat(open, waiting.stream().map(Waiting::deadline)).toList();
    }

    /** Complete groups, the ones due first in front. */
    List<Waiting> byDeadline() {
        return waiting.stream()
                .sorted(Comparator.comparingLong(Waiting::deadline)
                        .thenComparingLong(ready -> ready.group().number()))
                .toList();
    }

    /** Generators with the most room first. */
    List<GeneratorSession> byRoom() {
        return generators.values().stream()
                .filter(generator -> generator.freeSlots() > 0 && generator.version() != GeneratorSession.NO_VERSION)
                .sorted(Comparator.comparingInt(GeneratorSession::freeSlots)
                        .reversed()
                        .thenComparing(GeneratorSession::id))
                .toList();
    }

    int slots() {
        return generators.values().stream().mapToInt(GeneratorSession::slots).sum();
    }
}
