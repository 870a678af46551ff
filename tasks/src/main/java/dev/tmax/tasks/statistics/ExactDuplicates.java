package dev.tmax.tasks.statistics;

import dev.tmax.tasks.Sha256;
import dev.tmax.tasks.Task;
import dev.tmax.tasks.archive.FolderTar;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Finds tasks that are the same but for their name: same instruction, image, environment and tests. */
final class ExactDuplicates {
    private ExactDuplicates() {}

    /** The ids of such tasks, a list for each; no list has fewer than two. */
    static List<List<String>> among(List<Task> tasks) {
        Map<String, List<String>> byContent = new LinkedHashMap<>();
        for (Task task : tasks) {
            byContent.computeIfAbsent(content(task), _ -> new ArrayList<>()).add(task.id());
        }
        return byContent.values().stream()
                .filter(ids -> ids.size() > 1)
                .map(List::copyOf)
                .toList();
    }

    private static String content(Task task) {
        Sha256 content = new Sha256()
                .add(task.instruction().getBytes(StandardCharsets.UTF_8))
                .add(task.environment().image().orElse("").getBytes(StandardCharsets.UTF_8))
                .add(task.environment()
                        .buildContext()
                        .or(task.environment()::files)
                        .map(FolderTar::of)
                        .orElse(new byte[0]))
                .add(Integer.toString(task.steps().size()).getBytes(StandardCharsets.UTF_8));
        task.steps()
                .forEach(step -> content.add(step.files().tests())
                        .add(step.files().workdir().orElse(new byte[0])));
        return content.hex();
    }
}
