package dev.tmax.tasks.harbor;

import dev.tmax.tasks.Environment;
import dev.tmax.tasks.InvalidTask;
import dev.tmax.tasks.Metadata;
import dev.tmax.tasks.ReadTask;
import dev.tmax.tasks.RewardStrategy;
import dev.tmax.tasks.Sha256;
import dev.tmax.tasks.Step;
import dev.tmax.tasks.Task;
import dev.tmax.tasks.TaskFormat;
import dev.tmax.tasks.archive.FolderTar;
import dev.tmax.tasks.reading.Problems;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads one folder in the Harbor format. */
public final class HarborTask {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*/[A-Za-z0-9][A-Za-z0-9._-]*");

    private final Path folder;
    private final HostVariables hostVariables;
    private final Problems problems = new Problems();

    private HarborTask(Path folder, HostVariables hostVariables) {
        this.folder = folder;
        this.hostVariables = hostVariables;
    }

    /**
     * Reads the task in a folder.
     *
     * @param folder holds {@code task.toml}
     * @param hostVariables what <code>${NAME}</code> in the task's variables may refer to
     * @return the task, or all that is wrong with it
     * @throws UncheckedIOException where a file is there and cannot be read
     */
    public static ReadTask read(Path folder, Map<String, String> hostVariables) {
        return new HarborTask(folder, new HostVariables(hostVariables)).read();
    }

    private ReadTask read() {
        Optional<Section> toml = TaskToml.parse(folder, problems);
        if (toml.isEmpty()) {
            return new InvalidTask(folder, problems.all());
        }
        Section root = toml.get();
        Section environment = root.sectionOrEmpty("environment");
        Unsupported.report(folder, root, problems);
        root.string("schema_version");
        root.string("version");
        String id = id(root);
        Environment sandbox = new Environments(hostVariables).ofTask(environment, folder.resolve("environment"));
        Verifiers verifiers =
                new Verifiers(hostVariables, sandbox, root.sectionOrEmpty("verifier"), folder.resolve("tests"));
        List<Step> steps = new Steps(folder, root, verifiers, problems).read();
        RewardStrategy strategy = strategy(root);
        Map<String, String> solutionVariables = hostVariables.resolve(root.sectionOrEmpty("solution"));
        Metadata metadata = metadata(root);
        if (!problems.none()) {
            return new InvalidTask(folder, problems.all());
        }
        return new Task(
                id,
                folder,
                TaskFormat.HARBOR,
                sandbox,
                steps,
                strategy,
                metadata,
                solutionVariables,
                digest(sandbox, steps));
    }

    private String id(Section root) {
        String directoryName = folder.toAbsolutePath().normalize().getFileName().toString();
        Optional<Section> task = root.section("task");
        if (task.isEmpty()) {
            return directoryName;
        }
        Optional<String> name = task.get().string("name");
        if (name.isEmpty() && !task.get().has("name")) {
            task.get().report("name", "is missing", "write name = \"organisation/" + directoryName + "\"");
        } else if (name.isPresent()
                && (!NAME.matcher(name.get()).matches() || name.get().contains(".."))) {
            task.get()
                    .report(
                            "name",
                            "is no task name",
                            "write organisation/name, each of ASCII letters, digits, '.', '_' and '-',"
                                    + " beginning with a letter or digit");
        }
        return name.orElse(directoryName);
    }

    private static RewardStrategy strategy(Section root) {
        Optional<String> written = root.word("multi_step_reward_strategy");
        if (written.isEmpty() || written.get().equals("mean")) {
            return RewardStrategy.MEAN;
        }
        if (!written.get().equals("final")) {
            root.report("multi_step_reward_strategy", "is unknown", "write mean or final");
        }
        return RewardStrategy.FINAL;
    }

    private static Metadata metadata(Section root) {
        Section section = root.sectionOrEmpty("metadata");
        List<String> tags = Stream.concat(
                        section.words("tags").stream(), root.sectionOrEmpty("task").words("keywords").stream())
                .distinct()
                .toList();
        return new Metadata(section.scalars(), tags);
    }

    private String digest(Environment environment, List<Step> steps) {
        try {
            Sha256 digest = new Sha256().add(Files.readAllBytes(folder.resolve(TaskToml.FILE)));
            for (Step step : steps) {
                digest.add(step.instruction().getBytes(StandardCharsets.UTF_8))
                        .add(step.files().tests())
                        .add(step.files().solution().orElse(new byte[0]))
                        .add(step.files().workdir().orElse(new byte[0]));
            }
            Optional<Path> files = environment.buildContext().or(environment::files);
            return digest.add(files.map(FolderTar::of).orElse(new byte[0])).hex();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
