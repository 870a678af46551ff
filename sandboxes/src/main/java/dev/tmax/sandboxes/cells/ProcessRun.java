package dev.tmax.sandboxes.cells;

import dev.tmax.sandboxes.CellTools;
import dev.tmax.sandboxes.CommandResult;
import dev.tmax.sandboxes.CommandResult.Ending;
import dev.tmax.sandboxes.ProcessRequest;
import dev.tmax.sandboxes.SandboxFailure;
import dev.tmax.sandboxes.SandboxFailure.Reason;
import dev.tmax.sandboxes.cells.CellProcesses.Moment;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Runs one program in a cell, without its shell, and ends whatever it left running. */
final class ProcessRun {

    /** Only the host's own shell is between: it goes to the folder and becomes the program. */
    private static final String ENTER = "cd \"$1\" 2>/dev/null || cd /; shift; exec \"$@\"";

    private static final int TIMED_OUT_STATUS = 124;
    private static final Duration LAST_OUTPUT = Duration.ofSeconds(2);

    private final Shell.Launcher launcher;
    private final CellProcesses processes;
    private final LimitBreaches breaches;

    /**
     * @param launcher with standard output and error merged
     */
    ProcessRun(Shell.Launcher launcher, CellProcesses processes, LimitBreaches breaches) {
        this.launcher = launcher;
        this.processes = processes;
        this.breaches = breaches;
    }

    CommandResult run(ProcessRequest request) throws SandboxFailure, InterruptedException {
        Moment start = processes.commandStarts();
        long began = System.nanoTime();
        breaches.forget();
        List<String> arguments = new ArrayList<>(List.of(
                CellTools.BUSYBOX, "sh", "-c", ENTER, "sh", request.workdir().isEmpty() ? "/" : request.workdir()));
        arguments.addAll(request.arguments());
        try {
            Crun.Started started = launcher.start(arguments);
            try {
                return finish(started, request, start, began);
            } finally {
                processes.left(started.process().pid());
                started.forgetFiles();
            }
        } catch (IOException e) {
            throw new SandboxFailure(Reason.INTERNAL, "crun cannot be started: " + e, e);
        }
    }

    private CommandResult finish(Crun.Started started, ProcessRequest request, Moment start, long began)
            throws SandboxFailure, InterruptedException, IOException {
        Process process = started.process();
        OutputWindow window = new OutputWindow(request.outputLimit());
        Thread reader =
                Thread.ofPlatform().daemon().name("process-" + process.pid()).start(() -> read(process, window));
        Thread.ofVirtual().start(() -> write(process, request.input()));
        boolean timedOut = !process.waitFor(request.timeout().toMillis(), TimeUnit.MILLISECONDS);
        boolean cleared = new Termination(processes, start).force();
        process.waitFor();
        reader.join(LAST_OUTPUT);
        Optional<String> breach = breaches.take();
        OutputWindow.Text output = window.text();
        if (!timedOut && !started.complaint().isEmpty()) {
            throw new SandboxFailure(
                    Reason.CELL_LOST, "the cell takes no process: " + started.complaint() + " " + output.text());
        }
        return new CommandResult(
                timedOut ? Ending.TIMED_OUT : breach.isPresent() ? Ending.OVER_LIMIT : Ending.COMPLETED,
                timedOut ? TIMED_OUT_STATUS : process.exitValue(),
                output.text(),
                output.bytes(),
                output.truncated(),
                Duration.ofNanos(System.nanoTime() - began),
                request.workdir(),
                false,
                breach.orElse(cleared ? "" : "Processes that it started cannot be stopped."));
    }

    private static void write(Process process, byte[] input) {
        try (OutputStream stream = process.getOutputStream()) {
            stream.write(input);
        } catch (IOException e) {
            // It does not read, or ended before.
        }
    }

    private static void read(Process process, OutputWindow window) {
        byte[] buffer = new byte[64 << 10];
        try (InputStream stream = process.getInputStream()) {
            for (int n = stream.read(buffer); n >= 0; n = stream.read(buffer)) {
                window.append(buffer, 0, n);
            }
        } catch (IOException e) {
            // Closed under us: the same as its end.
        }
    }
}
