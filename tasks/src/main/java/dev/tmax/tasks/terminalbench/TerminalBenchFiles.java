package dev.tmax.tasks.terminalbench;

import dev.tmax.tasks.StepFiles;
import dev.tmax.tasks.Verifier;
import dev.tmax.tasks.archive.FolderTar;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The files of a task: its script and the content of its folder {@code tests}, flat, and a {@link Verifier#SCRIPT} that
 * runs the one and makes a reward of what it prints.
 *
 * @param solutionText of the reference solution
 */
record TerminalBenchFiles(Path folder, Parser parser, Optional<String> solutionText) implements StepFiles {
    static final String RUN_TESTS = "run-tests.sh";
    static final String TESTS = "tests";

    private static final int READABLE = 0644;
    private static final int EXECUTABLE = 0755;

    @Override
    public byte[] tests() {
        Map<String, FolderTar.Addition> added = new LinkedHashMap<>();
        try {
            added.put(RUN_TESTS, new FolderTar.Addition(READABLE, Files.readAllBytes(folder.resolve(RUN_TESTS))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        added.put(Verifier.SCRIPT, new FolderTar.Addition(EXECUTABLE, testScript()));
        return FolderTar.of(Optional.of(folder.resolve(TESTS)).filter(Files::isDirectory), added);
    }

    private byte[] testScript() {
        try (InputStream script = TerminalBenchFiles.class.getResourceAsStream("test.sh")) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8)
                    .replace("@PARSER@", parser.title())
                    .getBytes(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As {@code bash solution.sh}, whatever its first line says. */
    @Override
    public Optional<byte[]> solution() {
        return solutionText.map(text -> FolderTar.of(
                Optional.empty(),
                Map.of(
                        "solve.sh",
                        new FolderTar.Addition(
                                EXECUTABLE,
                                "#!/bin/bash\nexec bash /solution/solution.sh\n".getBytes(StandardCharsets.UTF_8)),
                        Solution.SCRIPT,
                        new FolderTar.Addition(READABLE, text.getBytes(StandardCharsets.UTF_8)))));
    }

    @Override
    public boolean hasSolution() {
        return solutionText.isPresent();
    }

    @Override
    public Optional<byte[]> workdir() {
        return Optional.empty();
    }

    @Override
    public boolean hasSetup() {
        return false;
    }
}
