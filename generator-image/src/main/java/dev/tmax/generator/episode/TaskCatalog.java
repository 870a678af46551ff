package dev.tmax.generator.episode;

import dev.tmax.contracts.configuration.RunConfiguration;
import dev.tmax.contracts.rollout.TaskSplit;
import dev.tmax.tasks.LoadedTaskSet;
import dev.tmax.tasks.Task;
import dev.tmax.tasks.TaskFormat;
import dev.tmax.tasks.TaskSet;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The tasks that the trainer names, by id. Read once; files of a task are read when they are needed. */
public final class TaskCatalog {

    private record Split(String digest, String path, Map<String, Task> tasks) {}

    private final Split training;
    private final Optional<Split> heldOut;

    private TaskCatalog(Split training, Optional<Split> heldOut) {
        this.training = training;
        this.heldOut = heldOut;
    }

    /**
     * Reads the task sets of a run. Invalid tasks are left out: the trainer names none of them.
     *
     * @throws dev.tmax.tasks.UnreadableTaskSetException where there is nothing to read
     */
    public static TaskCatalog load(RunConfiguration configuration) {
        return new TaskCatalog(
                read(configuration.tasks().path(), configuration.tasks().format()),
                Optional.ofNullable(configuration.evaluation())
                        .map(evaluation -> read(evaluation.path(), evaluation.format())));
    }

    private static Split read(String path, String format) {
        LoadedTaskSet set = TaskSet.load(Path.of(path), format(format));
        Map<String, Task> tasks = new HashMap<>();
        set.tasks().forEach(task -> tasks.put(task.id(), task));
        return new Split(set.digest(), path, tasks);
    }

    private static TaskFormat format(String title) {
        return Arrays.stream(TaskFormat.values())
                .filter(format -> format.title().equals(title))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("tasks.format: '" + title + "' is not known; use one of "
                                + List.of(TaskFormat.values()).stream()
                                        .map(TaskFormat::title)
                                        .toList()));
    }

    /** @throws UnknownTaskException where this generator's set has no such task */
    Task task(TaskSplit split, String id) throws UnknownTaskException {
        Split set = split == TaskSplit.HELD_OUT
                ? heldOut.orElseThrow(() -> new UnknownTaskException("task " + id
                        + ": it is of the held-out set, but this generator's configuration has no evaluation.path"))
                : training;
        Task task = set.tasks().get(id);
        if (task == null) {
            throw new UnknownTaskException(
                    "task " + id + ": not among the " + set.tasks().size()
                            + " tasks of this generator at " + set.path() + " (digest " + set.digest()
                            + "); trainer and generator must mount the same task set: compare with the trainer's digest");
        }
        return task;
    }
}
