package dev.tmax.tasks.harbor;

import dev.tmax.tasks.Problem;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What was found to be wrong with one task so far. */
final class Problems {
    // What several steps share is looked at several times and reported once.
    private final Set<Problem> found = new LinkedHashSet<>();

    void add(Problem problem) {
        found.add(problem);
    }

    void addFile(String file, String reason, String remedy) {
        found.add(Problem.ofFile(file, reason, remedy));
    }

    boolean none() {
        return found.isEmpty();
    }

    List<Problem> all() {
        return List.copyOf(found);
    }
}
