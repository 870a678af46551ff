package dev.tmax.tasks.harbor;

import dev.tmax.tasks.Problem;
import java.util.ArrayList;
import java.util.List;

/** What was found to be wrong with one task so far. */
final class Problems {
    private final List<Problem> found = new ArrayList<>();

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
