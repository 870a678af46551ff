package dev.tmax.tasks.harbor;

import dev.tmax.tasks.archive.IgnoreRules;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Checks {@code tests/} and {@code solution/}. */
final class Scripts {
    private Scripts() {}

    static void checkTests(Path folder, Problems problems) {
        Path script = folder.resolve("tests/test.sh");
        if (!Files.isRegularFile(script)) {
            problems.addFile(
                    "tests/test.sh",
                    "is missing: the task has no tests, so no attempt can be rewarded",
                    "add a script that writes the reward to /logs/verifier/reward.txt");
            return;
        }
        checkLineEnds(script, "tests/test.sh", problems);
        checkSent(folder.resolve("tests"), "test.sh", problems);
        checkLinks(folder, folder.resolve("tests"), problems);
    }

    static void checkSolution(Path folder, Problems problems) {
        Path solution = folder.resolve("solution");
        if (Files.isDirectory(solution)) {
            Path script = solution.resolve("solve.sh");
            if (Files.isRegularFile(script)) {
                checkLineEnds(script, "solution/solve.sh", problems);
                checkSent(solution, "solve.sh", problems);
            }
            checkLinks(folder, solution, problems);
        }
    }

    /** The kernel looks for an interpreter whose name ends in a carriage return, and the script never starts. */
    private static void checkLineEnds(Path script, String name, Problems problems) {
        try {
            String text = new String(Files.readAllBytes(script), StandardCharsets.ISO_8859_1);
            int end = text.indexOf('\n');
            if (text.startsWith("#!") && end > 0 && text.charAt(end - 1) == '\r') {
                problems.addFile(
                        name, "has a carriage return at the end of its first line", "save it with LF line ends");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void checkSent(Path tree, String script, Problems problems) {
        try {
            if (IgnoreRules.of(tree).ignores(script, false)) {
                problems.addFile(
                        tree.getFileName() + "/" + IgnoreRules.FILE,
                        "leaves out " + script + ", which is needed",
                        "add the line !/" + script + " at its end");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void checkLinks(Path folder, Path tree, Problems problems) {
        try (Stream<Path> walked = Files.walk(tree)) {
            Path task = folder.toRealPath();
            List<Path> links = walked.filter(Files::isSymbolicLink).sorted().toList();
            for (Path link : links) {
                String name = folder.relativize(link).toString();
                if (!Files.exists(link)) {
                    problems.addFile(name, "is a link to nothing", "remove it or add what it points to");
                } else if (!link.toRealPath().startsWith(task)) {
                    problems.addFile(name, "is a link out of the task", "copy what it points to into the task");
                } else if (link.getParent().toRealPath().startsWith(link.toRealPath())) {
                    problems.addFile(name, "is a link to a folder that it lies in", "remove it");
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
