package dev.tmax.tasks.reading;

import dev.tmax.tasks.Problem;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What was found to be wrong with one task so far. */
public final class Problems {
    // What several steps share is looked at several times and reported once.
    private final Set<Problem> found = new LinkedHashSet<>();

    public void add(Problem problem) {
        found.add(problem);
    }

    public void addFile(String file, String reason, String remedy) {
        found.add(Problem.ofFile(file, reason, remedy));
    }

    public boolean none() {
        return found.isEmpty();
    }

    public List<Problem> all() {
        return List.copyOf(found);
    }
}
