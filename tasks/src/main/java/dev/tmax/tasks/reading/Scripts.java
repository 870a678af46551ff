package dev.tmax.tasks.reading;

import dev.tmax.tasks.Step;
import dev.tmax.tasks.Verifier;
import dev.tmax.tasks.archive.IgnoreRules;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Checks the folders that are sent into sandboxes: tests, solutions and files of steps. */
public final class Scripts {
    private final Path task;
    private final Problems problems;

    public Scripts(Path task, Problems problems) {
        this.task = task;
        this.problems = problems;
    }

    /**
     * Checks folders of tests.
     *
     * @param folders relative to the task; the last one with a script has the one that counts
     * @param bundled whether an image brings the tests, so that none are needed here
     */
    public void checkTests(List<String> folders, boolean bundled) {
        boolean found = false;
        for (String folder : folders) {
            if (Files.isDirectory(task.resolve(folder))) {
                found |= checkTree(folder, Verifier.SCRIPT);
            }
        }
        if (!found && !bundled) {
            problems.addFile(
                    folders.getLast() + "/" + Verifier.SCRIPT,
                    "is missing: there are no tests, so no attempt can be rewarded",
                    "add a script that writes the reward to /logs/verifier/reward.txt");
        }
    }

    public void checkSolution(String folder) {
        if (Files.isDirectory(task.resolve(folder))) {
            checkTree(folder, "solve.sh");
        }
    }

    public void checkWorkdir(String folder) {
        if (Files.isDirectory(task.resolve(folder))) {
            checkTree(folder, Step.SETUP);
        }
    }

    /** Whether the script is there; it may be missing. */
    private boolean checkTree(String folder, String script) {
        Path tree = task.resolve(folder);
        boolean found = Files.isRegularFile(tree.resolve(script));
        if (found) {
            checkLineEnds(tree.resolve(script), folder + "/" + script);
            checkSent(tree, folder, script);
        }
        checkLinks(tree);
        return found;
    }

    /** The kernel looks for an interpreter whose name ends in a carriage return, and the script never starts. */
    private void checkLineEnds(Path script, String name) {
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

    /**
     * Checks a script that an interpreter is given by name.
     *
     * @param name relative to the task
     */
    public void checkInterpreted(String name) {
        try {
            String text = new String(Files.readAllBytes(task.resolve(name)), StandardCharsets.ISO_8859_1);
            int end = text.indexOf("\r\n");
            if (end >= 0) {
                long line = text.substring(0, end).lines().count();
                problems.addFile(
                        name,
                        "has a carriage return at the end of line " + Math.max(1, line)
                                + ", which bash takes for a part of the command",
                        "save it with LF line ends");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void checkSent(Path tree, String folder, String script) {
        try {
            if (IgnoreRules.of(tree).ignores(script, false)) {
                problems.addFile(
                        folder + "/" + IgnoreRules.FILE,
                        "leaves out " + script + ", which is needed",
                        "add the line !/" + script + " at its end");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Links have to stay inside the task and must not lead back to where they lie. */
    public void checkLinks(Path tree) {
        try (Stream<Path> walked = Files.walk(tree)) {
            Path root = task.toRealPath();
            List<Path> links = walked.filter(Files::isSymbolicLink).sorted().toList();
            for (Path link : links) {
                String name = task.relativize(link).toString();
                if (!Files.exists(link)) {
                    problems.addFile(name, "is a link to nothing", "remove it or add what it points to");
                } else if (!link.toRealPath().startsWith(root)) {
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
