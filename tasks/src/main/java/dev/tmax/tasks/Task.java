package dev.tmax.tasks;

import dev.tmax.tasks.archive.FolderTar;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * One task: what the agent is told, where it works and how the result is judged.
 *
 * @param id unique in its set: {@code [task].name}, else the name of its folder
 * @param directory the folder it was read from
 * @param instruction what the agent is told, without canary lines
 * @param environment the sandbox
 * @param agent limits of the agent
 * @param verifier limits and settings of the tests
 * @param metadata labels, for statistics and filters only
 * @param solutionVariables environment variables of the reference solution
 * @param digest SHA-256, in hex, of instruction, configuration, environment, tests and solution
 */
public record Task(
        String id,
        Path directory,
        String instruction,
        Environment environment,
        Agent agent,
        Verifier verifier,
        Metadata metadata,
        Map<String, String> solutionVariables,
        String digest)
        implements ReadTask {

    public Task {
        solutionVariables = Map.copyOf(solutionVariables);
    }

    /** The tests as a tar archive, its root being {@code /tests}; always the same bytes for the same files. */
    public byte[] testsTar() {
        return FolderTar.of(directory.resolve("tests"));
    }

    /** The reference solution as a tar archive, its root being {@code /solution}; empty where the task has none. */
    public Optional<byte[]> solutionTar() {
        Path solution = directory.resolve("solution");
        return Files.isRegularFile(solution.resolve("solve.sh"))
                ? Optional.of(FolderTar.of(solution))
                : Optional.empty();
    }
}
