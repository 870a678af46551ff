package dev.tmax.tasks.terminalbench;

import dev.tmax.tasks.Agent;
import dev.tmax.tasks.Environment;
import dev.tmax.tasks.InvalidTask;
import dev.tmax.tasks.Metadata;
import dev.tmax.tasks.Network;
import dev.tmax.tasks.ReadTask;
import dev.tmax.tasks.RewardStrategy;
import dev.tmax.tasks.Sha256;
import dev.tmax.tasks.Step;
import dev.tmax.tasks.Task;
import dev.tmax.tasks.TaskFormat;
import dev.tmax.tasks.Verifier;
import dev.tmax.tasks.archive.FolderTar;
import dev.tmax.tasks.reading.Problems;
import dev.tmax.tasks.reading.Scripts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/** Reads one folder in the format of Terminal-Bench 1. */
public final class TerminalBenchTask {
    private static final String FILE = "task.yaml";
    private static final Duration DEFAULT_AGENT = Duration.ofSeconds(360);
    private static final Duration DEFAULT_TESTS = Duration.ofSeconds(60);
    private static final Duration START = Duration.ofSeconds(600);
    private static final Set<String> DIFFICULTIES = Set.of("easy", "medium", "hard", "unknown");

    private final Path folder;
    private final Problems problems = new Problems();

    private TerminalBenchTask(Path folder) {
        this.folder = folder;
    }

    /**
     * Reads the task in a folder.
     *
     * @param folder holds {@code task.yaml}
     * @return the task, or all that is wrong with it
     * @throws UncheckedIOException where a file is there and cannot be read
     */
    public static ReadTask read(Path folder) {
        return new TerminalBenchTask(folder).read();
    }

    private ReadTask read() {
        Optional<YamlSection> yaml = YamlFile.mapping(folder, FILE, problems);
        Optional<Compose> compose = Compose.read(folder, problems);
        Optional<String> solution = Solution.read(folder, problems);
        checkTests();
        if (yaml.isEmpty() || compose.isEmpty()) {
            return new InvalidTask(folder, problems.all());
        }
        YamlSection root = yaml.get();
        Step step = step(root, compose.get(), solution);
        Metadata metadata = metadata(root);
        if (!problems.none()) {
            return new InvalidTask(folder, problems.all());
        }
        return new Task(
                folder.toAbsolutePath().normalize().getFileName().toString(),
                folder,
                TaskFormat.TERMINAL_BENCH,
                environment(compose.get()),
                List.of(step),
                RewardStrategy.MEAN,
                metadata,
                Map.of(),
                digest(step, compose.get()));
    }

    private Step step(YamlSection root, Compose compose, Optional<String> solution) {
        String instruction = root.text("instruction").orElse("");
        if (instruction.isBlank()) {
            root.report("instruction", "is missing or empty", "write there what the agent is asked to do");
        }
        String parser = root.text("parser_name").orElse(Parser.PYTEST.title());
        if (Parser.of(parser).isEmpty()) {
            root.report("parser_name", "is unknown", "write one of " + Parser.titles());
        }
        if (root.bool("run_tests_in_same_shell").orElse(false)) {
            root.report(
                    "run_tests_in_same_shell",
                    "tests in the agent's own shell are not supported",
                    "take the task out of the task set, or rewrite its tests for a shell of their own");
        }
        Map<String, String> variables = new TreeMap<>(compose.variables());
        variables.put("TEST_DIR", "/tests");
        return new Step(
                "",
                instruction,
                new Agent(
                        Optional.of(root.seconds("max_agent_timeout_sec").orElse(DEFAULT_AGENT)),
                        compose.user(),
                        Optional.empty()),
                new Verifier(
                        root.seconds("max_test_timeout_sec").orElse(DEFAULT_TESTS),
                        compose.user(),
                        variables,
                        Verifier.Mode.AUTO,
                        Optional.empty(),
                        List.of(),
                        Optional.empty()),
                Optional.empty(),
                List.of(),
                OptionalDouble.empty(),
                new TerminalBenchFiles(folder, Parser.of(parser).orElse(Parser.PYTEST), solution));
    }

    private static Environment environment(Compose compose) {
        return new Environment(
                compose.image(),
                compose.dockerfile(),
                compose.context(),
                compose.workdir(),
                Optional.empty(),
                compose.variables(),
                compose.cpus(),
                compose.memoryMb(),
                OptionalInt.empty(),
                new Network.Public(),
                Optional.empty(),
                START);
    }

    private void checkTests() {
        Path script = folder.resolve(TerminalBenchFiles.RUN_TESTS);
        if (!Files.isRegularFile(script)) {
            problems.addFile(
                    TerminalBenchFiles.RUN_TESTS,
                    "is missing: there are no tests, so no attempt can be rewarded",
                    "add the script that runs the tests");
            return;
        }
        Scripts scripts = new Scripts(folder, problems);
        scripts.checkInterpreted(TerminalBenchFiles.RUN_TESTS);
        Path tests = folder.resolve(TerminalBenchFiles.TESTS);
        if (Files.isDirectory(tests)) {
            scripts.checkLinks(tests);
            for (String ours : List.of(Verifier.SCRIPT, TerminalBenchFiles.RUN_TESTS)) {
                if (Files.exists(tests.resolve(ours))) {
                    problems.addFile(
                            "tests/" + ours, "has the name of a file that is put beside it", "give it another name");
                }
            }
        }
    }

    private Metadata metadata(YamlSection root) {
        Optional<String> difficulty = root.text("difficulty");
        if (difficulty.isEmpty() || !DIFFICULTIES.contains(difficulty.get())) {
            root.report("difficulty", "is not a difficulty", "write easy, medium, hard or unknown");
        }
        Map<String, String> labels = new TreeMap<>(root.scalars());
        labels.remove("instruction");
        return new Metadata(labels, root.texts("tags"));
    }

    private String digest(Step step, Compose compose) {
        try {
            return new Sha256()
                    .add(Files.readAllBytes(folder.resolve(FILE)))
                    .add(Files.readAllBytes(folder.resolve(Compose.FILE)))
                    .add(step.files().tests())
                    .add(step.files().solution().orElse(new byte[0]))
                    .add(compose.context().map(FolderTar::of).orElse(new byte[0]))
                    .hex();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
