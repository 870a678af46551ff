package dev.tmax.tasks.statistics;

import dev.tmax.tasks.LoadedTaskSet;
import dev.tmax.tasks.Task;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How much of the instructions occurs, word for word, in those of a reference set: the share of a task's 13-grams of
 * words that the reference has too.
 *
 * @param reference digest of the reference set
 * @param overlapping tasks that share at least one 13-gram with it
 * @param notMeasurable tasks whose instruction is shorter than 13 words; nothing can be said about them
 * @param worst the ten with the largest share, the largest first
 */
public record Contamination(String reference, int overlapping, int notMeasurable, List<Overlap> worst) {
    private static final int GRAM = 13;
    private static final int NAMED = 10;

    /**
     * The overlap of one task.
     *
     * @param task its id
     * @param share in (0, 1]
     */
    public record Overlap(String task, double share) {}

    public Contamination {
        worst = List.copyOf(worst);
    }

    static Contamination of(List<Task> tasks, LoadedTaskSet reference) {
        Set<String> known = new HashSet<>();
        for (Task task : reference.tasks()) {
            known.addAll(Words.of(task.instruction()).grams(GRAM));
        }
        int notMeasurable = 0;
        List<Overlap> overlaps = new ArrayList<>();
        for (Task task : tasks) {
            Set<String> grams = Words.of(task.instruction()).grams(GRAM);
            if (grams.isEmpty()) {
                notMeasurable++;
                continue;
            }
            long shared = grams.stream().filter(known::contains).count();
            if (shared > 0) {
                overlaps.add(new Overlap(task.id(), (double) shared / grams.size()));
            }
        }
        overlaps.sort(Comparator.comparingDouble(Overlap::share).reversed().thenComparing(Overlap::task));
        return new Contamination(
                reference.digest(),
                overlaps.size(),
                notMeasurable,
                overlaps.subList(0, Math.min(NAMED, overlaps.size())));
    }
}
