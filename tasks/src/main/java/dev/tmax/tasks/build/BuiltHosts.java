package dev.tmax.tasks.build;

import dev.tmax.sandboxes.local.LocalSandbox;
import dev.tmax.tasks.Environment;
import dev.tmax.tasks.trial.Host;
import dev.tmax.tasks.trial.Hosts;
import dev.tmax.tasks.trial.NoHostException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Cells over the images that a builder has: those of a lock file, and those that tasks name. */
public final class BuiltHosts implements Hosts {
    private final ImageBuilder builder;
    private final ImageLock lock;
    private final Path state;
    private final Map<String, Host> hosts = new LinkedHashMap<>();

    /**
     * @param builder has the images; closed with this
     * @param lock which image belongs to which Dockerfile
     * @param state for the cells' own files
     */
    public BuiltHosts(ImageBuilder builder, ImageLock lock, Path state) {
        this.builder = builder;
        this.lock = lock;
        this.state = state;
    }

    @Override
    public Host of(Environment environment) throws NoHostException {
        String image = image(environment);
        Host known = hosts.get(image);
        if (known != null) {
            return known;
        }
        try {
            if (!builder.has(image)) {
                throw new NoHostException("image " + image + " is not in the store of " + builder.name()
                        + ": build or pull it, or name a root file system with --rootfs");
            }
            Path folder = Files.createDirectories(state.resolve("host-" + hosts.size()));
            Host host = new Host(
                    LocalSandbox.open(builder.rootFileSystem(image), folder),
                    builder.inspect(image).settings());
            hosts.put(image, host);
            return host;
        } catch (BuildFailedException | IOException e) {
            throw new NoHostException("image " + image + ": " + e.getMessage(), e);
        }
    }

    private String image(Environment environment) throws NoHostException {
        if (!ImageBuild.isBuilt(environment)) {
            return environment.image().orElseThrow();
        }
        return lock.ofSource(ImageBuild.source(environment))
                .map(LockedImage::image)
                .orElseThrow(() -> new NoHostException(
                        "the image of " + environment.dockerfile().orElseThrow()
                                + " is not built: run `tasks build` first, or name a root file system with --rootfs"));
    }

    @Override
    public void close() {
        hosts.values().forEach(host -> host.sandbox().close());
        hosts.clear();
        builder.close();
    }
}
