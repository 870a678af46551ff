package dev.tmax.sandboxes.local;

import dev.tmax.sandboxes.RootFileSystems;
import dev.tmax.sandboxes.Sandbox;
import dev.tmax.sandboxes.VerificationBehaviour;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class LocalVerificationTest extends VerificationBehaviour {

    private static LocalSandbox sandbox;

    @BeforeAll
    static void open() throws IOException {
        sandbox = LocalSandbox.open(
                RootFileSystems.DEBIAN.folder(),
                Files.createTempDirectory(Path.of("/var/tmp"), "tmax-cells-"),
                Duration.ofSeconds(2));
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
