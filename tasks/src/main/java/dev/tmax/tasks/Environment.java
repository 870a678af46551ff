package dev.tmax.tasks;

import dev.tmax.sandboxes.CellLimits;
import dev.tmax.tasks.archive.FolderTar;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * The sandbox of a task.
 *
 * @param image the image to run; empty where it has to be built from the task's Dockerfile first
 * @param dockerfile the Dockerfile of the task, where there is one
 * @param buildContext the folder that the Dockerfile copies from, where there is one
 * @param workdir replaces the working directory of the image
 * @param files a folder whose content is copied into the working directory after start
 * @param variables environment variables
 * @param cpus limit in cores
 * @param memoryMb limit in MiB
 * @param storageMb limit in MiB
 * @param network what the sandbox may reach
 * @param healthCheck tried after start, before anything else happens
 * @param startTimeout for building and starting
 */
public record Environment(
        Optional<String> image,
        Optional<Path> dockerfile,
        Optional<Path> buildContext,
        Optional<String> workdir,
        Optional<Path> files,
        Map<String, String> variables,
        OptionalDouble cpus,
        OptionalInt memoryMb,
        OptionalInt storageMb,
        Network network,
        Optional<HealthCheck> healthCheck,
        Duration startTimeout) {

    public Environment {
        variables = Map.copyOf(variables);
    }

    /** The content of {@link #files} as a tar archive rooted at the working directory, empty directories included. */
    public Optional<byte[]> environmentTar() {
        return files.map(FolderTar::of);
    }

    /** Bounds of a cell of this task: the usual ones where it names none. */
    public CellLimits cellLimits() {
        CellLimits usual = CellLimits.DEFAULT;
        return new CellLimits(
                memoryMb.isPresent() ? (long) memoryMb.getAsInt() << 20 : usual.memoryBytes(),
                usual.processes(),
                storageMb.isPresent() ? (long) storageMb.getAsInt() << 20 : usual.diskBytes());
    }
}
