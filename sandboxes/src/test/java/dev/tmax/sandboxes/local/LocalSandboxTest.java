package dev.tmax.sandboxes.local;

import dev.tmax.sandboxes.RootFileSystems;
import dev.tmax.sandboxes.Sandbox;
import dev.tmax.sandboxes.SandboxBehaviour;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

class LocalSandboxTest extends SandboxBehaviour {

    private static LocalSandbox sandbox;

    @BeforeAll
    static void open(@TempDir Path state) throws IOException {
        sandbox = LocalSandbox.open(RootFileSystems.DEBIAN.folder(), state, Duration.ofSeconds(2));
    }

    @AfterAll
    static void close() {
        sandbox.close();
    }

    @Override
    protected Sandbox sandbox() {
        return sandbox;
    }
}
