package dev.tmax.tasks.cli;

import dev.tmax.tasks.build.ImageLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where built images are, and the file that records them. */
final class ImageStore {
    @Option(
            names = "--lock",
            paramLabel = "FILE",
            description = "The record of built images (default: tasks.lock.json in the folder of the tasks).")
    private Optional<Path> lock;

    @Option(
            names = "--store",
            paramLabel = "DIR",
            description = "buildah's folder of images, with root/ and run/ in it (default: that of this machine)."
                    + " With it, buildah is used even where Docker runs.")
    private Optional<Path> store;

    Optional<Path> store() {
        return store;
    }

    /** Not in the folder of a task: there it would count as one of its files. */
    Path lock(Path directory) {
        boolean isTask = Files.exists(directory.resolve("task.toml")) || Files.exists(directory.resolve("task.yaml"));
        Path folder = isTask ? directory.toAbsolutePath().normalize().getParent() : directory;
        return lock.orElse(folder.resolve(ImageLock.FILE));
    }
}
