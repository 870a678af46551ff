package dev.tmax.tasks.statistics;

import dev.tmax.tasks.LoadedTaskSet;
import dev.tmax.tasks.Task;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a task set is made of.
 *
 * @param format what the tasks are written in
 * @param tasks number of usable tasks
 * @param invalid number of others
 * @param digest of the usable tasks
 * @param axes counts of labels by axis; {@code domain} and {@code difficulty} always, the others where any task has
 *     one
 * @param domainsByComplexity number of tasks by domain and task complexity, both labelled
 * @param exactDuplicates ids of tasks that are the same but for their name, a list for each
 * @param nearDuplicates pairs of tasks with almost the same instruction, exact duplicates among them
 * @param withoutSolution ids of tasks whose tests cannot be tried with a reference solution
 * @param testsThatInstall ids of tasks whose tests seem to fetch something from the network; without one they would give
 *     a right answer 0
 * @param images number of tasks by image; those to be built from a Dockerfile are under {@code (Dockerfile)}
 * @param contamination overlap with a reference set, where one was given
 */
public record TaskSetStatistics(
        String format,
        int tasks,
        int invalid,
        String digest,
        Map<String, LabelCounts> axes,
        Map<String, Map<String, Integer>> domainsByComplexity,
        List<List<String>> exactDuplicates,
        List<NearDuplicate> nearDuplicates,
        List<String> withoutSolution,
        List<String> testsThatInstall,
        Map<String, Integer> images,
        Optional<Contamination> contamination) {

    private static final List<String> AXES = List.of(
            "skill_type",
            "task_complexity",
            "command_complexity",
            "scenario",
            "language",
            "fixture_kind",
            "verifier_kind",
            "persona");
    private static final Pattern FETCHES =
            Pattern.compile("\\b(curl|wget)\\b|\\b(apt|apt-get|apk|dnf|yum) .*\\b(install|add)\\b"
                    + "|\\b(pip3?|uv|npm|cargo|gem) .*\\b(install|add|sync)\\b|\\buvx\\b|\\bgit clone\\b");

    /** Counts a task set. */
    public static TaskSetStatistics of(LoadedTaskSet set, Optional<LoadedTaskSet> reference) {
        List<Task> tasks = set.tasks();
        Map<String, LabelCounts> axes = new LinkedHashMap<>();
        axes.put(
                "domain",
                LabelCounts.of(
                        tasks.stream().map(task -> task.metadata().domain()).toList()));
        axes.put(
                "difficulty",
                LabelCounts.of(
                        tasks.stream().map(task -> task.metadata().difficulty()).toList()));
        for (String axis : AXES) {
            LabelCounts counts = LabelCounts.of(
                    tasks.stream().map(task -> task.metadata().label(axis)).toList());
            if (!counts.counts().isEmpty()) {
                axes.put(axis, counts);
            }
        }
        return new TaskSetStatistics(
                set.format().title(),
                tasks.size(),
                set.invalid().size(),
                set.digest(),
                axes,
                domainsByComplexity(tasks),
                ExactDuplicates.among(tasks),
                NearDuplicates.among(tasks),
                ids(tasks, task -> !task.hasSolution()),
                ids(tasks, TaskSetStatistics::testsFetch),
                images(tasks),
                reference.map(other -> Contamination.of(tasks, other)));
    }

    /** Number of tasks that could be left out because another one is the same. */
    public int superfluous() {
        return exactDuplicates.stream().mapToInt(ids -> ids.size() - 1).sum();
    }

    /** Counts by domain. */
    public LabelCounts domains() {
        return axes.get("domain");
    }

    private static Map<String, Map<String, Integer>> domainsByComplexity(List<Task> tasks) {
        Map<String, Map<String, Integer>> table = new TreeMap<>();
        for (Task task : tasks) {
            Optional<String> domain = task.metadata().domain();
            Optional<String> complexity = task.metadata().label("task_complexity");
            if (domain.isPresent() && complexity.isPresent()) {
                table.computeIfAbsent(domain.get(), _ -> new TreeMap<>()).merge(complexity.get(), 1, Integer::sum);
            }
        }
        return table;
    }

    private static Map<String, Integer> images(List<Task> tasks) {
        Map<String, Integer> images = new TreeMap<>();
        for (Task task : tasks) {
            images.merge(task.environment().image().orElse("(Dockerfile)"), 1, Integer::sum);
        }
        return images;
    }

    private static List<String> ids(List<Task> tasks, Predicate<Task> which) {
        return tasks.stream().filter(which).map(Task::id).toList();
    }

    private static boolean testsFetch(Task task) {
        List<Path> scripts = new ArrayList<>();
        try (Stream<Path> files = Files.walk(task.directory().resolve("tests"))) {
            files.filter(file -> file.toString().endsWith(".sh")).forEach(scripts::add);
            for (Path script : scripts) {
                String text = new String(Files.readAllBytes(script), StandardCharsets.ISO_8859_1);
                if (text.lines()
                        .filter(line -> !line.strip().startsWith("#"))
                        .anyMatch(line -> FETCHES.matcher(line).find())) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
