package dev.tmax.tasks;

import java.nio.file.Path;
import java.util.List;

/**
 * What a folder of tasks holds.
 *
 * @param root the folder
 * @param format what the tasks were found to be written in; {@code AUTO} where they are mixed or none could be read
 * @param tasks the usable ones, sorted by id
 * @param invalid the others, sorted by path
 * @param digest SHA-256, in hex, of the usable tasks; independent of where they lie
 */
public record LoadedTaskSet(Path root, TaskFormat format, List<Task> tasks, List<InvalidTask> invalid, String digest) {
    public LoadedTaskSet {
        tasks = List.copyOf(tasks);
        invalid = List.copyOf(invalid);
    }
}
