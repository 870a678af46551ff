package dev.tmax.tasks.trial;

import dev.tmax.sandboxes.local.LocalSandbox;
import dev.tmax.tasks.Environment;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** One root file system, a folder on this machine, in place of every image. */
public final class FolderHosts implements Hosts {
    private final LocalSandbox sandbox;

    private FolderHosts(LocalSandbox sandbox) {
        this.sandbox = sandbox;
    }

    /**
     * @param rootFileSystem what cells see as /
     * @param state for the cells' own files
     * @param terminationGrace between TERM and KILL at a timeout
     * @throws IOException where this machine cannot have cells; the message says why
     */
    public static FolderHosts open(Path rootFileSystem, Path state, Duration terminationGrace) throws IOException {
        return new FolderHosts(LocalSandbox.open(rootFileSystem, state, terminationGrace));
    }

    @Override
    public Host of(Environment environment) {
        return new Host(sandbox, ImageSettings.NONE);
    }

    @Override
    public void close() {
        sandbox.close();
    }
}
