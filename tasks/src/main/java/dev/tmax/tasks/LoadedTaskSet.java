package dev.tmax.tasks;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

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
    private static final int MOST_LABELS = 12;

    public LoadedTaskSet {
        tasks = List.copyOf(tasks);
        invalid = List.copyOf(invalid);
    }

    static LoadedTaskSet of(Path root, List<Task> tasks, List<InvalidTask> invalid) {
        List<TaskFormat> formats = tasks.stream().map(Task::format).distinct().toList();
        TaskFormat format = formats.size() == 1 ? formats.getFirst() : TaskFormat.AUTO;
        return new LoadedTaskSet(root, format, tasks, invalid, digest(tasks));
    }

    /**
     * The part of it that a selection takes. Tasks that could not be read stay: nobody knows what they are.
     *
     * @throws UnreadableTaskSetException where there are usable tasks and the selection takes none of them
     */
    public LoadedTaskSet select(Selection selection) {
        List<Task> taken = tasks.stream().filter(selection).toList();
        if (taken.isEmpty() && !tasks.isEmpty()) {
            throw new UnreadableTaskSetException(
                    root,
                    "holds " + tasks.size() + " usable tasks, of which filter and split take none",
                    "write labels that tasks have: domains " + labels(Metadata::domain) + "; difficulties "
                            + labels(Metadata::difficulty) + "; languages " + labels(Metadata::language));
        }
        return of(root, taken, invalid);
    }

    private String labels(Function<Metadata, Optional<String>> label) {
        List<String> found = tasks.stream()
                .map(Task::metadata)
                .map(label)
                .flatMap(Optional::stream)
                .distinct()
                .sorted()
                .limit(MOST_LABELS)
                .toList();
        return found.isEmpty() ? "(none)" : String.join(", ", found);
    }

    private static String digest(List<Task> tasks) {
        Sha256 digest = new Sha256();
        for (Task task : tasks) {
            digest.add(task.id().getBytes(StandardCharsets.UTF_8));
            digest.add(task.digest().getBytes(StandardCharsets.UTF_8));
        }
        return digest.hex();
    }
}
