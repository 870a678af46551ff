package dev.tmax.envrunner;

import dev.tmax.sandboxes.RootFileSystems;
import dev.tmax.sandboxes.Sandbox;
import dev.tmax.sandboxes.SandboxBehaviour;
import dev.tmax.sandboxes.cells.HostTools;
import dev.tmax.sandboxes.local.CellNamespace;
import dev.tmax.sandboxes.remote.RemoteSandbox;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The same behaviour through the env-runner's HTTP API. */
class RemoteSandboxTest extends SandboxBehaviour {

    static final String TOKEN = "a-token-of-at-least-16-characters";

    private static CellNamespace namespace;
    private static EnvRunner runner;
    private static RemoteSandbox sandbox;

    @BeforeAll
    static void start() throws IOException {
        Path state = Files.createTempDirectory(Path.of("/var/tmp"), "tmax-env-runner-");
        HostTools tools = HostTools.installed(state.resolve("tools")).orElseThrow();
        namespace = CellNamespace.make(state.resolve("tools/busybox"));
        runner = EnvRunner.start(
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
                namespace.prefix());
        sandbox = new RemoteSandbox(
                RemoteSandbox.newHttpClient(), URI.create("http://127.0.0.1:" + runner.port()), TOKEN);
    }

    @AfterAll
    static void stop() {
        runner.close();
        namespace.close();
    }

    @Override
    protected Sandbox sandbox() {
        return sandbox;
    }
}
