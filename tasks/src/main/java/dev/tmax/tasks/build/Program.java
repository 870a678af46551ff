package dev.tmax.tasks.build;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a program of this machine to its end. */
final class Program {
    private static final int MOST_BYTES = 8 << 20;
    private static final int MOST_LINES = 15;

    private Program() {}

    /**
     * What came of it.
     *
     * @param output standard output and error; at most 8 MiB of it
     */
    record Ended(int status, String output) {
        /** The last lines, where programs say what went wrong. */
        String lastWords() {
            List<String> lines = output.lines().filter(line -> !line.isBlank()).toList();
            return String.join("\n", lines.subList(Math.max(0, lines.size() - MOST_LINES), lines.size()));
        }
    }

    static Ended run(List<String> command, Duration timeout) throws BuildFailedException {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                    .start();
            Thread watch = Thread.ofVirtual().start(() -> endAfter(process, timeout));
            String output = drained(process.getInputStream());
            int status = process.waitFor();
            watch.interrupt();
            return new Ended(status, output);
        } catch (IOException e) {
            throw new BuildFailedException(
                    command.getFirst() + " cannot be started: install it, or choose another builder", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BuildFailedException(command.getFirst() + " was interrupted", e);
        }
    }

    /** The output, where the program succeeded. */
    static String succeed(List<String> command, Duration timeout) throws BuildFailedException {
        Ended ended = run(command, timeout);
        if (ended.status() != 0) {
            throw new BuildFailedException(
                    String.join(" ", command) + " ended with status " + ended.status() + ":\n" + ended.lastWords());
        }
        return ended.output();
    }

    private static void endAfter(Process process, Duration timeout) {
        try {
            if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            // It ended before its time.
            Thread.currentThread().interrupt();
        }
    }

    private static String drained(InputStream output) throws IOException {
        byte[] kept = output.readNBytes(MOST_BYTES);
        output.transferTo(OutputStream.nullOutputStream());
        return new String(kept, StandardCharsets.UTF_8);
    }
}
