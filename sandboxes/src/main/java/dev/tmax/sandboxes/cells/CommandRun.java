package dev.tmax.sandboxes.cells;

import dev.tmax.sandboxes.CommandRequest;
import dev.tmax.sandboxes.CommandResult;
import dev.tmax.sandboxes.CommandResult.Ending;
import dev.tmax.sandboxes.cells.CellProcesses.Moment;
import dev.tmax.sandboxes.cells.ShellControl.Prompt;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs one command in a shell, to its end or to its timeout. */
final class CommandRun {

    /** Exit status of a command whose time was over, as {@code timeout} has it. */
    private static final int TIMED_OUT_STATUS = 124;

    private static final int UNKNOWN_STATUS = 137;
    private static final Duration BACK_AT_PROMPT = Duration.ofMillis(500);
    private static final Duration DELIVERY = Duration.ofSeconds(10);

    private final Shell shell;
    private final CellProcesses processes;
    private final LimitBreaches breaches;
    private final Duration grace;

    CommandRun(Shell shell, CellProcesses processes, LimitBreaches breaches, Duration grace) {
        this.shell = shell;
        this.processes = processes;
        this.breaches = breaches;
        this.grace = grace;
    }

    /**
     * What came of it.
     *
     * @param unstoppable processes of the command are left that could not be killed
     */
    record Finished(CommandResult result, boolean unstoppable) {}

    /**
     * @param cwd the shell's folder before
     */
    Finished run(CommandRequest request, String cwd) throws InterruptedException {
        Moment start = processes.commandStarts();
        long began = System.nanoTime();
        breaches.forget();
        Shell.Running running = shell.run(request.command().getBytes(StandardCharsets.UTF_8), request.outputLimit());
        boolean timedOut = !settled(running, request.timeout());
        boolean unstoppable = timedOut && !terminate(running, start);
        return new Finished(result(running, timedOut, cwd, began, request), unstoppable);
    }

    /** Whether the shell was back, or gone, within this time. */
    private boolean settled(Shell.Running running, Duration time) throws InterruptedException {
        try {
            CompletableFuture.anyOf(running.prompt(), shell.end()).get(time.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            return true; // its control stream ended, and so does the shell
        }
    }

    private boolean terminate(Shell.Running running, Moment start) throws InterruptedException {
        Termination termination = new Termination(processes, start);
        termination.ask(grace);
        if (!settled(running, BACK_AT_PROMPT)) {
            // Stubborn children, or the shell itself is what runs: a loop, a read, a wait.
            boolean stopped = termination.force();
            if (!settled(running, BACK_AT_PROMPT)) {
                shell.kill();
            }
            if (!stopped) {
                return false;
            }
        }
        return termination.force();
    }

    private CommandResult result(
            Shell.Running running, boolean timedOut, String cwd, long began, CommandRequest request)
            throws InterruptedException {
        Optional<Prompt> prompt = prompt(running);
        OutputWindow.Text output = prompt.isPresent() ? delivered(running) : shell.lastOutput();
        Optional<String> breach = breaches.take();
        Ending ending = timedOut ? Ending.TIMED_OUT : breach.isPresent() ? Ending.OVER_LIMIT : Ending.COMPLETED;
        int status = timedOut ? TIMED_OUT_STATUS : prompt.map(Prompt::status).orElseGet(this::exitStatus);
        return new CommandResult(
                ending,
                status,
                output.text(),
                output.bytes(),
                output.truncated(),
                Duration.ofNanos(System.nanoTime() - began),
                prompt.map(Prompt::cwd).orElse(cwd),
                prompt.isEmpty(),
                notice(timedOut, breach, prompt.isEmpty(), status, request));
    }

    private static String notice(
            boolean timedOut, Optional<String> breach, boolean restarted, int status, CommandRequest request) {
        StringBuilder notice = new StringBuilder();
        if (timedOut) {
            notice.append("The command did not end within ")
                    .append(Seconds.of(request.timeout()))
                    .append(" s; its processes were ended. ");
        }
        breach.ifPresent(reason -> notice.append(reason).append(' '));
        if (restarted) {
            notice.append(timedOut ? "The shell had to be ended too" : "The shell ended with status " + status)
                    .append("; the next command starts in a new one, in the same folder. ");
        }
        return notice.toString().strip();
    }

    private static Optional<Prompt> prompt(Shell.Running running) {
        return running.prompt().isDone() && !running.prompt().isCompletedExceptionally()
                ? Optional.of(running.prompt().resultNow())
                : Optional.empty();
    }

    /** The mark was written before the prompt: it is on its way. */
    private OutputWindow.Text delivered(Shell.Running running) throws InterruptedException {
        try {
            return running.output().get(DELIVERY.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            return shell.outputSoFar();
        }
    }

    private int exitStatus() {
        try {
            return shell.end().get(DELIVERY.toMillis(), TimeUnit.MILLISECONDS).exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return UNKNOWN_STATUS;
        } catch (ExecutionException | TimeoutException e) {
            return UNKNOWN_STATUS;
        }
    }
}
