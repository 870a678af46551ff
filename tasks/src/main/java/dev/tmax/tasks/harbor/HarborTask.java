package dev.tmax.tasks.harbor;

import dev.tmax.tasks.Agent;
import dev.tmax.tasks.Environment;
import dev.tmax.tasks.InvalidTask;
import dev.tmax.tasks.Metadata;
import dev.tmax.tasks.Network;
import dev.tmax.tasks.Problem;
import dev.tmax.tasks.ReadTask;
import dev.tmax.tasks.Sha256;
import dev.tmax.tasks.Task;
import dev.tmax.tasks.Verifier;
import dev.tmax.tasks.archive.FolderTar;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads one folder in the Harbor format. */
public final class HarborTask {
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(600);
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
     */
    public static ReadTask read(Path folder, Map<String, String> hostVariables) {
        try {
            return new HarborTask(folder, new HostVariables(hostVariables)).read();
        } catch (UncheckedIOException e) {
            return new InvalidTask(
                    folder,
                    List.of(Problem.ofFile(
                            ".", "cannot be read: " + e.getCause().getMessage(), "make its files readable")));
        }
    }

    private ReadTask read() {
        Optional<Section> toml = TaskToml.parse(folder, problems);
        if (toml.isEmpty()) {
            return new InvalidTask(folder, problems.all());
        }
        Section root = toml.get();
        Section environment = root.sectionOrEmpty("environment");
        Section verifier = root.sectionOrEmpty("verifier");
        Unsupported.report(folder, root, environment, verifier, problems);
        if (root.entries("steps") > 0) {
            return new InvalidTask(folder, problems.all());
        }
        root.string("schema_version");
        root.string("version");
        String id = id(root);
        Optional<String> instruction = Instruction.read(folder, problems);
        Environment sandbox = environment(environment);
        Agent agent = agent(root.sectionOrEmpty("agent"));
        Verifier tests = verifier(verifier);
        Map<String, String> solutionVariables = hostVariables.resolve(root.sectionOrEmpty("solution"));
        Metadata metadata = metadata(root);
        Scripts.checkTests(folder, problems);
        Scripts.checkSolution(folder, problems);
        if (!problems.none()) {
            return new InvalidTask(folder, problems.all());
        }
        return new Task(
                id,
                folder,
                instruction.orElseThrow(),
                sandbox,
                agent,
                tests,
                metadata,
                solutionVariables,
                digest(sandbox));
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

    private Environment environment(Section section) {
        Path directory = folder.resolve("environment");
        Path dockerfile = directory.resolve("Dockerfile");
        boolean built = Files.isRegularFile(dockerfile);
        Optional<String> image = section.word("docker_image");
        if (image.isEmpty() && !built && !section.has("docker_image")) {
            section.report(
                    "docker_image",
                    "is missing, and there is no environment/Dockerfile",
                    "name the image to run, or add a Dockerfile");
        }
        return new Environment(
                image,
                built ? Optional.of(dockerfile) : Optional.empty(),
                section.word("workdir"),
                built || isEmptyOrMissing(directory) ? Optional.empty() : Optional.of(directory),
                hostVariables.resolve(section),
                section.number("cpus"),
                MemorySize.read(section, "memory_mb", "memory"),
                MemorySize.read(section, "storage_mb", "storage"),
                NetworkRules.read(section).orElseGet(Network.Public::new),
                section.seconds("build_timeout_sec").orElse(DEFAULT_TIMEOUT));
    }

    private static Agent agent(Section section) {
        return new Agent(section.seconds("timeout_sec"), user(section), NetworkRules.read(section));
    }

    private Verifier verifier(Section section) {
        Verifier.Mode mode = Verifier.Mode.AUTO;
        Optional<String> written = section.word("environment_mode");
        if (written.equals(Optional.of("shared"))) {
            mode = Verifier.Mode.SHARED;
        } else if (written.equals(Optional.of("separate"))) {
            section.report(
                    "environment_mode",
                    "verifiers with an environment of their own are not supported yet",
                    "write shared, or leave it out");
        } else if (written.isPresent()) {
            section.report("environment_mode", "is unknown", "write shared, or leave it out");
        }
        return new Verifier(
                section.seconds("timeout_sec").orElse(DEFAULT_TIMEOUT),
                user(section),
                hostVariables.resolve(section),
                mode,
                NetworkRules.read(section));
    }

    /** A name, or a uid that may be written as a number. */
    private static Optional<String> user(Section section) {
        String written = section.scalars().getOrDefault("user", "");
        if (section.has("user") && !written.matches("[A-Za-z0-9_][A-Za-z0-9_.-]*")) {
            section.report("user", "is neither a user name nor a uid", "write user = \"name\" or user = 1000");
        }
        return written.isEmpty() ? Optional.empty() : Optional.of(written);
    }

    private static Metadata metadata(Section root) {
        Section section = root.sectionOrEmpty("metadata");
        List<String> tags = Stream.concat(
                        section.words("tags").stream(), root.sectionOrEmpty("task").words("keywords").stream())
                .distinct()
                .toList();
        return new Metadata(section.scalars(), tags);
    }

    private static boolean isEmptyOrMissing(Path directory) {
        if (!Files.isDirectory(directory)) {
            return true;
        }
        try (Stream<Path> children = Files.list(directory)) {
            return children.findAny().isEmpty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String digest(Environment environment) {
        try {
            Sha256 digest = new Sha256()
                    .add(Files.readAllBytes(folder.resolve(TaskToml.FILE)))
                    .add(Files.readAllBytes(folder.resolve(Instruction.FILE)));
            for (String part : List.of("tests", "solution")) {
                digest.add(Files.isDirectory(folder.resolve(part)) ? FolderTar.of(folder.resolve(part)) : new byte[0]);
            }
            Optional<Path> files = environment.dockerfile().map(Path::getParent).or(environment::files);
            return digest.add(files.map(FolderTar::of).orElse(new byte[0])).hex();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
