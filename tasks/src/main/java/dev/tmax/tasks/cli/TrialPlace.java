package dev.tmax.tasks.cli;

import dev.tmax.tasks.build.BuildFailedException;
import dev.tmax.tasks.build.Builders;
import dev.tmax.tasks.build.BuiltHosts;
import dev.tmax.tasks.build.ImageLock;
import dev.tmax.tasks.trial.FolderHosts;
import dev.tmax.tasks.trial.Hosts;
import dev.tmax.tasks.trial.NetworkPolicy;
import dev.tmax.tasks.trial.Trial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where trials run on this machine, and what they may reach. */
final class TrialPlace {
    private static final Duration GRACE = Duration.ofSeconds(10);

    @Option(
            names = "--rootfs",
            paramLabel = "DIR",
            description =
                    "A root file system in place of every task's image; dev/rootfs.sh folder makes one of Debian.")
    private Optional<Path> rootFileSystem;

    @Option(
            names = "--network",
            paramLabel = "POLICY",
            defaultValue = "DENY",
            description = "DENY (default): none, as in training. TASK: what each task asks for.")
    private NetworkPolicy network;

    @Option(
            names = "--state",
            paramLabel = "DIR",
            defaultValue = "/var/tmp",
            description = "Where cells keep their files (default: ${DEFAULT-VALUE}); not on an overlay.")
    private Path state;

    /** What a command does with trials. */
    interface Work {
        int with(Trial trial) throws InterruptedException;
    }

    /** Opens the hosts, does the work and leaves nothing behind. */
    int run(ImageStore images, Path directory, Work work)
            throws IOException, BuildFailedException, InterruptedException {
        Path folder = Files.createTempDirectory(Files.createDirectories(state), "tmax-trials-");
        try (Hosts hosts = rootFileSystem.isPresent()
                ? FolderHosts.open(rootFileSystem.get(), folder, GRACE)
                : new BuiltHosts(Builders.find(images.store()), ImageLock.read(images.lock(directory)), folder)) {
            return work.with(new Trial(hosts, network));
        } finally {
            Folders.delete(folder);
        }
    }
}
