package dev.tmax.envrunner;

import dev.tmax.sandboxes.RootFileSystems;
import dev.tmax.sandboxes.cells.HostTools;
import dev.tmax.sandboxes.cells.ProcessGroups;
import dev.tmax.sandboxes.local.CellNamespace;
import dev.tmax.sandboxes.remote.RemoteSandbox;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** An env-runner in this process, over a Debian root file system, and its client. */
record RunnerOnThisMachine(CellNamespace namespace, EnvRunner runner, RemoteSandbox sandbox, URI url)
        implements AutoCloseable {

    static final String TOKEN = "a-token-of-at-least-16-characters";

    static RunnerOnThisMachine start(Path state) throws IOException {
        HostTools tools = HostTools.installed(state.resolve("tools"))
                .orElseThrow(() -> new IOException("install the packages crun and busybox-static"));
        CellNamespace namespace = CellNamespace.make(state.resolve("tools/busybox"));
        EnvRunner runner = EnvRunner.start(
                new Settings(
                        0,
                        TOKEN,
                        state,
                        state,
                        RootFileSystems.DEBIAN.folder(),
                        Duration.ofHours(1),
                        Optional.empty(),
                        Duration.ofSeconds(2),
                        Map.of()),
                tools,
                ProcessGroups.onThisMachine(),
                namespace.prefix());
        URI url = URI.create("http://127.0.0.1:" + runner.port());
        return new RunnerOnThisMachine(
                namespace, runner, new RemoteSandbox(RemoteSandbox.newHttpClient(), url, TOKEN), url);
    }

    @Override
    public void close() {
        runner.close();
        namespace.close();
    }
}
