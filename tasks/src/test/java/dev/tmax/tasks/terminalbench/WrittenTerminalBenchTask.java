package dev.tmax.tasks.terminalbench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A task in the format of Terminal-Bench 1, written into a folder piece by piece. As first written it is a good one. */
final class WrittenTerminalBenchTask {
    private static final String COMPOSE = """
        services:
          client:
            build:
              dockerfile: Dockerfile
            image: ${T_BENCH_TASK_DOCKER_CLIENT_IMAGE_NAME}
            container_name: ${T_BENCH_TASK_DOCKER_CLIENT_CONTAINER_NAME}
            command: [ "sh", "-c", "sleep infinity" ]
            environment:
              - TEST_DIR=${T_BENCH_TEST_DIR}
            volumes:
              - ${T_BENCH_TASK_LOGS_PATH}:${T_BENCH_CONTAINER_LOGS_PATH}
        """;

    private final Path folder;

    private WrittenTerminalBenchTask(Path folder) {
        this.folder = folder;
    }

    static WrittenTerminalBenchTask in(Path folder) {
        return new WrittenTerminalBenchTask(folder)
                .with("task.yaml", "instruction: Create the file.\ndifficulty: easy\n")
                .with("docker-compose.yaml", COMPOSE)
                .with("Dockerfile", "FROM debian\n")
                .with("run-tests.sh", "pytest $TEST_DIR/test_outputs.py -rA\n")
                .with("tests/test_outputs.py", "def test_it(): pass\n");
    }

    WrittenTerminalBenchTask with(String file, String content) {
        try {
            Files.createDirectories(folder.resolve(file).getParent());
            Files.writeString(folder.resolve(file), content);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** With these lines in the service {@code client}, after its build. */
    WrittenTerminalBenchTask withClient(String lines) {
        return with("docker-compose.yaml", "services:\n  client:\n    build: .\n" + lines.indent(4));
    }

    WrittenTerminalBenchTask without(String file) {
        try {
            Files.delete(folder.resolve(file));
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path folder() {
        return folder;
    }
}
