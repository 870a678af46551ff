package dev.tmax.tasks;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A folder that is not a usable task.
 *
 * @param path the folder
 * @param problems all that is wrong with it, at least one
 */
public record InvalidTask(Path path, List<Problem> problems) implements ReadTask {
    public InvalidTask {
        problems = List.copyOf(problems);
        if (problems.isEmpty()) {
            throw new IllegalArgumentException("an invalid task has at least one problem: " + path);
        }
    }

    /** The name of its folder. */
    public String name() {
        return path.getFileName() == null ? path.toString() : path.getFileName().toString();
    }

    /** All problems, a line each. */
    public String reason() {
        return problems.stream().map(Problem::toString).collect(Collectors.joining("\n"));
    }
}
