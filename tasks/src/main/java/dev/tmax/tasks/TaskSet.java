package dev.tmax.tasks;

import dev.tmax.tasks.harbor.HarborTask;
import dev.tmax.tasks.terminalbench.TerminalBenchTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Reads folders of tasks. */
public final class TaskSet {
    private TaskSet() {}

    /** As {@link #load(Path, TaskFormat, Map)}, lending the tasks no variable of the host. */
    public static LoadedTaskSet load(Path root, TaskFormat format) {
        return load(root, format, Map.of());
    }

    /**
     * Reads a task, or every task among the immediate children of a folder. A task that is wrong is reported and does
     * not keep the others from being read. Hidden folders and plain files beside the tasks are passed over.
     *
     * @param root a folder of tasks, or one task
     * @param format what the tasks are written in; one in another format is reported
     * @param hostVariables what {@code ${NAME}} in a task's variables may refer to. Whatever is named here can be read
     *     by the model under training: never give a whole environment.
     * @throws UnreadableTaskSetException where there is nothing to read
     */
    public static LoadedTaskSet load(Path root, TaskFormat format, Map<String, String> hostVariables) {
        List<Task> tasks = new ArrayList<>();
        List<InvalidTask> invalid = new ArrayList<>();
        Map<String, Path> seen = new HashMap<>();
        for (Path folder : folders(root)) {
            switch (read(folder, format, hostVariables)) {
                case Task task -> {
                    Path first = seen.putIfAbsent(task.id(), folder);
                    if (first == null) {
                        tasks.add(task);
                    } else {
                        invalid.add(new InvalidTask(
                                folder,
                                List.of(Problem.ofFile(
                                        "task.toml",
                                        "has the id '" + task.id() + "' of the task in " + first.getFileName(),
                                        "give it a name of its own in [task].name"))));
                    }
                }
                case InvalidTask wrong -> invalid.add(wrong);
            }
        }
        tasks.sort(Comparator.comparing(Task::id));
        return LoadedTaskSet.of(root, tasks, invalid);
    }

    private static List<Path> folders(Path root) {
        if (!Files.isDirectory(root)) {
            throw new UnreadableTaskSetException(
                    root,
                    Files.exists(root) ? "is not a folder" : "does not exist",
                    "name a folder of tasks, or the folder of one task");
        }
        if (formatIn(root) != TaskFormat.AUTO) {
            return List.of(root);
        }
        try (Stream<Path> children = Files.list(root)) {
            List<Path> folders = children.filter(Files::isDirectory)
                    .filter(child -> !child.getFileName().toString().startsWith("."))
                    .sorted()
                    .toList();
            if (folders.isEmpty()) {
                throw new UnreadableTaskSetException(
                        root,
                        "holds no task",
                        "put one folder per task into it, each with task.toml, instruction.md and tests/test.sh");
            }
            return folders;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ReadTask read(Path folder, TaskFormat format, Map<String, String> hostVariables) {
        TaskFormat found = formatIn(folder);
        if (found == TaskFormat.AUTO) {
            String expected = format == TaskFormat.TERMINAL_BENCH ? "task.yaml" : "task.toml";
            return invalid(folder, expected, "is missing", "add it, or take the folder out of the task set");
        }
        if (format != TaskFormat.AUTO && format != found) {
            return invalid(
                    folder,
                    found == TaskFormat.HARBOR ? "task.toml" : "task.yaml",
                    "this is a task in the format " + found.title() + ", not " + format.title(),
                    "set the format of the task set to " + found.title() + " or Auto");
        }
        try {
            return found == TaskFormat.HARBOR ? HarborTask.read(folder, hostVariables) : TerminalBenchTask.read(folder);
        } catch (UncheckedIOException e) {
            return invalid(folder, ".", "cannot be read: " + e.getCause().getMessage(), "make its files readable");
        }
    }

    private static InvalidTask invalid(Path folder, String file, String reason, String remedy) {
        return new InvalidTask(folder, List.of(Problem.ofFile(file, reason, remedy)));
    }

    private static TaskFormat formatIn(Path folder) {
        if (Files.exists(folder.resolve("task.toml"))) {
            return TaskFormat.HARBOR;
        }
        return Files.exists(folder.resolve("task.yaml")) ? TaskFormat.TERMINAL_BENCH : TaskFormat.AUTO;
    }
}
