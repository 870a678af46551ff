package dev.tmax.tasks.cli;

import dev.tmax.tasks.InvalidTask;
import java.util.List;

/**
 * An unusable task in a report.
 *
 * @param task the name of its folder
 * @param reason all that is wrong with it, in one line
 */
record InvalidTaskReport(String task, String reason) {
    static List<InvalidTaskReport> of(List<InvalidTask> invalid) {
        return invalid.stream()
                .map(task -> new InvalidTaskReport(task.name(), task.reason().replace("\n", " | ")))
                .toList();
    }
}
