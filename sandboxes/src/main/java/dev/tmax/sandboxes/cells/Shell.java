package dev.tmax.sandboxes.cells;

import dev.tmax.sandboxes.CellTools;
import dev.tmax.sandboxes.SandboxFailure;
import dev.tmax.sandboxes.SandboxFailure.Reason;
import dev.tmax.sandboxes.cells.ShellControl.Prompt;
import java.io.IOException;
import java.io.InputStream;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A shell in a cell that takes commands one after another: folder, variables, functions, aliases and options live on.
 *
 * <p>A command is complete when the shell is ready for the next, not at the end of its output: a background process that
 * holds the output does not delay it.
 */
final class Shell {

    private static final Duration START = Duration.ofSeconds(20);
    private static final Duration LAST_OUTPUT = Duration.ofMillis(300);
    private static final long THREAD_STACK_BYTES = 256 << 10;

    /** What an empty pipe takes without a reader. */
    private static final int PIPE_BYTES = 32 << 10;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final Crun.Started started;
    private final ShellOutput output = new ShellOutput();
    private final ShellControl control;
    private final CompletableFuture<Void> outputEnd = new CompletableFuture<>();
    private ShellProgram program = ShellProgram.SH;
    private long pid;

    private Shell(Crun.Started started) {
        this.started = started;
        this.control = new ShellControl(started.process().getErrorStream());
    }

    /** Starts a program in the cell, with separate output and error. */
    @FunctionalInterface
    interface Launcher {
        Crun.Started start(List<String> arguments) throws IOException;
    }

    /** A command that was sent. */
    record Running(CompletableFuture<Prompt> prompt, CompletableFuture<OutputWindow.Text> output) {}

    /** The cell's own bash, else its own sh; where neither starts, the host's static shell. */
    static Shell start(Launcher launcher, String cwd) throws SandboxFailure {
        try {
            return start(launcher, ShellProgram.CHOOSE, cwd);
        } catch (SandboxFailure e) {
            if (e.reason() == Reason.INTERRUPTED) {
                throw e;
            }
            return start(launcher, ShellProgram.OWN, cwd);
        }
    }

    private static Shell start(Launcher launcher, String script, String cwd) throws SandboxFailure {
        Shell shell;
        try {
            shell = new Shell(launcher.start(List.of(CellTools.BUSYBOX, "sh", "-c", script)));
        } catch (IOException e) {
            throw new SandboxFailure(Reason.INTERNAL, "crun cannot be started: " + e, e);
        }
        boolean ready = false;
        try {
            shell.begin(cwd);
            ready = true;
            return shell;
        } catch (IOException | ExecutionException | TimeoutException e) {
            throw new SandboxFailure(
                    Reason.CELL_LOST,
                    "no shell starts in the cell: " + shell.started.complaint() + " "
                            + shell.output.soFar().text(),
                    e);
        } catch (InterruptedException e) {
            throw Interruption.of(e);
        } finally {
            shell.started.forgetFiles();
            if (!ready) {
                shell.kill();
            }
        }
    }

    private void begin(String cwd) throws IOException, InterruptedException, ExecutionException, TimeoutException {
        thread("output", this::readOutput);
        thread("control", control::read);
        program = control.kind().get(START.toMillis(), TimeUnit.MILLISECONDS).equals("bash")
                ? ShellProgram.BASH
                : ShellProgram.SH;
        send(program.begin(cwd));
        control.first().get(START.toMillis(), TimeUnit.MILLISECONDS);
        pid = CellProcesses.behind(crun());
    }

    /** Sends a command; at most one at a time. */
    Running run(byte[] command, int outputLimit) {
        byte[] random = new byte[12];
        RANDOM.nextBytes(random);
        String id = HexFormat.of().formatHex(random);
        Running running = new Running(control.expect(id), output.expect(id, outputLimit));
        byte[] message = program.encode(id, command);
        if (message.length <= PIPE_BYTES) {
            sendUnlessEnded(message);
        } else {
            // A shell that does not read must not keep us from seeing the timeout.
            thread("commands", () -> sendUnlessEnded(message));
        }
        return running;
    }

    private void sendUnlessEnded(byte[] message) {
        try {
            send(message);
        } catch (IOException e) {
            // The shell ended: its process says so.
        }
    }

    private void send(byte[] bytes) throws IOException {
        started.process().getOutputStream().write(bytes);
        started.process().getOutputStream().flush();
    }

    /** What the last command printed so far. */
    OutputWindow.Text outputSoFar() {
        return output.soFar();
    }

    /** What was printed by the end of the shell; processes that it left behind may hold the stream open. */
    OutputWindow.Text lastOutput() throws InterruptedException {
        try {
            outputEnd.get(LAST_OUTPUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            // What there is by now is all we wait for.
        }
        return output.soFar();
    }

    CompletableFuture<Process> end() {
        return started.process().onExit();
    }

    boolean alive() {
        return started.process().isAlive();
    }

    /** Process id of the crun that stands for it outside of the cell. */
    long crun() {
        return started.process().pid();
    }

    /** Its own process id, as the host sees it. */
    long pid() {
        return pid;
    }

    /** Kills the shell alone; the cell goes on. */
    void kill() {
        if (pid > 0 && alive()) {
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        } else {
            started.process().destroyForcibly();
        }
    }

    private void readOutput() {
        byte[] buffer = new byte[64 << 10];
        try (InputStream stream = started.process().getInputStream()) {
            for (int n = stream.read(buffer); n >= 0; n = stream.read(buffer)) {
                output.feed(buffer, n);
            }
        } catch (IOException e) {
            // Closed under us: the same as its end.
        }
        outputEnd.complete(null);
    }

    private void thread(String name, Runnable work) {
        // Reads of pipes block their carrier: each has a small thread of its own.
        Thread.ofPlatform()
                .name("shell-" + crun() + "-" + name)
                .daemon()
                .stackSize(THREAD_STACK_BYTES)
                .start(work);
    }
}
