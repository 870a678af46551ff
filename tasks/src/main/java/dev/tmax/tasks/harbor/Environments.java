package dev.tmax.tasks.harbor;

import dev.tmax.tasks.Environment;
import dev.tmax.tasks.Network;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads the table {@code environment} of a task or of a verifier, and the folder beside it. */
final class Environments {
    private static final Duration DEFAULT_START = Duration.ofSeconds(600);

    private final HostVariables hostVariables;

    Environments(HostVariables hostVariables) {
        this.hostVariables = hostVariables;
    }

    /** Of the task: something to run is required. */
    Environment ofTask(Section section, Path directory) {
        Environment environment = read(section, directory);
        if (environment.image().isEmpty() && environment.dockerfile().isEmpty() && !section.has("docker_image")) {
            section.report(
                    "docker_image",
                    "is missing, and there is no environment/Dockerfile",
                    "name the image to run, or add a Dockerfile");
        }
        return environment;
    }

    /** Of tests: with neither image nor Dockerfile it has those of {@code fallback}. */
    Environment ofVerifier(Section section, Path directory, Environment fallback) {
        Environment own = read(section, directory);
        boolean bundled = own.image().isPresent() || own.dockerfile().isPresent();
        return new Environment(
                bundled ? own.image() : fallback.image(),
                bundled ? own.dockerfile() : fallback.dockerfile(),
                bundled ? own.buildContext() : fallback.buildContext(),
                own.workdir().or(() -> bundled ? Optional.empty() : fallback.workdir()),
                bundled ? Optional.empty() : fallback.files(),
                own.variables(),
                own.cpus(),
                own.memoryMb(),
                own.storageMb(),
                own.network(),
                own.healthCheck(),
                own.startTimeout());
    }

    private Environment read(Section section, Path directory) {
        Path dockerfile = directory.resolve("Dockerfile");
        boolean built = Files.isRegularFile(dockerfile);
        return new Environment(
                section.word("docker_image"),
                built ? Optional.of(dockerfile) : Optional.empty(),
                built ? Optional.of(directory) : Optional.empty(),
                section.word("workdir"),
                built || isEmptyOrMissing(directory) ? Optional.empty() : Optional.of(directory),
                hostVariables.resolve(section),
                section.number("cpus"),
                MemorySize.read(section, "memory_mb", "memory"),
                MemorySize.read(section, "storage_mb", "storage"),
                NetworkRules.read(section).orElseGet(Network.Public::new),
                HealthChecks.read(section),
                section.seconds("build_timeout_sec").orElse(DEFAULT_START));
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
}
