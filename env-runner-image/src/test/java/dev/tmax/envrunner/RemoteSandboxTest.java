package dev.tmax.envrunner;

import dev.tmax.sandboxes.Sandbox;
import dev.tmax.sandboxes.SandboxBehaviour;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The same behaviour through the env-runner's HTTP API. */
class RemoteSandboxTest extends SandboxBehaviour {

    private static RunnerOnThisMachine machine;

    @BeforeAll
    static void start(@TempDir Path state) throws IOException {
        machine = RunnerOnThisMachine.start(state);
    }

    @AfterAll
    static void stop() {
        machine.close();
    }

    @Override
    protected Sandbox sandbox() {
        return machine.sandbox();
    }
}
