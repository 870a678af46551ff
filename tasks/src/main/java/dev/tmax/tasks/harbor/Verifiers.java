package dev.tmax.tasks.harbor;

import dev.tmax.tasks.CollectCommand;
import dev.tmax.tasks.Environment;
import dev.tmax.tasks.Verifier;
import dev.tmax.tasks.Verifier.Mode;
import dev.tmax.tasks.Verifier.Separate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Reads the table {@code verifier} of a task and of its steps. */
final class Verifiers {
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(600);
    private static final Duration DEFAULT_COLLECT = Duration.ofSeconds(60);

    private final HostVariables hostVariables;
    private final Environment environment;
    private final Section taskVerifier;
    private final Path taskTests;

    /**
     * @param environment of the task
     * @param taskVerifier the table of the task
     * @param taskTests the task's folder of tests
     */
    Verifiers(HostVariables hostVariables, Environment environment, Section taskVerifier, Path taskTests) {
        this.hostVariables = hostVariables;
        this.environment = environment;
        this.taskVerifier = taskVerifier;
        this.taskTests = taskTests;
    }

    Verifier ofTask() {
        Mode mode = mode(taskVerifier).orElse(Mode.AUTO);
        return new Verifier(
                timeout(taskVerifier),
                Users.read(taskVerifier),
                hostVariables.resolve(taskVerifier),
                mode,
                mode == Mode.SEPARATE ? Optional.of(separate(taskVerifier, taskTests)) : Optional.empty(),
                collect(taskVerifier),
                NetworkRules.read(taskVerifier));
    }

    /**
     * Of a step: mode, user, network and commands are those of the task where it has none; the timeout is not. Its
     * variables come after those of the task.
     */
    Verifier ofStep(Section step, Path stepTests, Verifier task) {
        Section section = step.sectionOrEmpty("verifier");
        Mode mode = mode(section).orElse(task.mode());
        Map<String, String> variables = new TreeMap<>(task.variables());
        variables.putAll(hostVariables.resolve(section));
        List<CollectCommand> collect = collect(section);
        boolean own = section.has("environment") || Files.isRegularFile(stepTests.resolve("Dockerfile"));
        Optional<Separate> separate = mode != Mode.SEPARATE
                ? Optional.empty()
                : own
                        ? Optional.of(separate(section, stepTests))
                        : task.separate().or(() -> Optional.of(separate(taskVerifier, taskTests)));
        return new Verifier(
                timeout(section),
                Users.read(section).or(task::user),
                variables,
                mode,
                separate,
                collect.isEmpty() ? task.collect() : collect,
                NetworkRules.read(section).or(task::network));
    }

    private Separate separate(Section section, Path tests) {
        Section own = section.sectionOrEmpty("environment");
        boolean bundled = own.has("docker_image") || Files.isRegularFile(tests.resolve("Dockerfile"));
        return new Separate(new Environments(hostVariables).ofVerifier(own, tests, environment), bundled);
    }

    private static Duration timeout(Section section) {
        return section.seconds("timeout_sec").orElse(DEFAULT_TIMEOUT);
    }

    /** Empty where the section does not say. */
    private static Optional<Mode> mode(Section section) {
        Optional<String> written = section.word("environment_mode");
        boolean environment = section.has("environment");
        if (written.isEmpty()) {
            return environment ? Optional.of(Mode.SEPARATE) : Optional.empty();
        }
        switch (written.get()) {
            case "separate" -> {
                return Optional.of(Mode.SEPARATE);
            }
            case "shared" -> {
                if (environment) {
                    section.report(
                            "environment_mode",
                            "contradicts the table environment beside it",
                            "write separate, or take the table out");
                }
                return Optional.of(Mode.SHARED);
            }
            default -> {
                section.report("environment_mode", "is unknown", "write shared or separate, or leave it out");
                return Optional.empty();
            }
        }
    }

    private static List<CollectCommand> collect(Section section) {
        return section.sections("collect").stream()
                .map(command -> {
                    Optional<String> text = command.word("command");
                    if (!command.has("command")) {
                        command.report("command", "is missing", "write the command to run");
                    }
                    Unsupported.service(command);
                    return new CollectCommand(
                            text.orElse(""),
                            command.seconds("timeout_sec").orElse(DEFAULT_COLLECT),
                            Users.read(command));
                })
                .toList();
    }
}
