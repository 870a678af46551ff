package dev.tmax.tasks;

import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Which tasks of a folder make up a set. An empty collection takes all; a task without the label that is asked for is not
 * taken.
 *
 * @param domains domains, or Terminal-Bench categories
 * @param difficulties values of the label {@code difficulty}
 * @param languages values of the label {@code language}
 * @param split one of two parts without a common task; all tasks where empty
 */
public record Selection(Set<String> domains, Set<String> difficulties, Set<String> languages, Optional<Split> split)
        implements Predicate<Task> {

    public Selection {
        domains = Set.copyOf(domains);
        difficulties = Set.copyOf(difficulties);
        languages = Set.copyOf(languages);
    }

    @Override
    public boolean test(Task task) {
        Metadata metadata = task.metadata();
        return holds(domains, metadata.domain())
                && holds(difficulties, metadata.difficulty())
                && holds(languages, metadata.language())
                && split.map(part -> part.test(task)).orElse(true);
    }

    private static boolean holds(Set<String> wanted, Optional<String> label) {
        return wanted.isEmpty() || label.filter(wanted::contains).isPresent();
    }
}
