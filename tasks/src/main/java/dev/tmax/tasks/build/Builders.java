package dev.tmax.tasks.build;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the builder of this machine. */
public final class Builders {
    private static final Duration SHORT = Duration.ofSeconds(20);

    private Builders() {}

    /**
     * Docker where its daemon answers, else buildah.
     *
     * @param store buildah's folder of images; empty for the one of this machine
     * @throws BuildFailedException where there is neither
     */
    public static ImageBuilder find(Optional<Path> store) throws BuildFailedException {
        if (store.isEmpty()
                && isInstalled("docker")
                && Program.run(List.of("docker", "info"), SHORT).status() == 0) {
            return new Docker();
        }
        if (isInstalled("buildah")) {
            return new Buildah(store);
        }
        throw new BuildFailedException(
                "there is no running Docker and no buildah: install the package buildah, or start Docker");
    }

    private static boolean isInstalled(String program) {
        return Stream.of(System.getenv().getOrDefault("PATH", "/usr/bin").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}
