package dev.tmax.sandboxes.protocol;

import dev.tmax.sandboxes.CommandResult;
import java.time.Duration;

/** Answer of {@code POST /v1/cells/{id}/commands} and {@code .../processes}; fields as in {@link CommandResult}. */
public record CommandOutcome(
        CommandResult.Ending ending,
        int exitCode,
        String output,
        long bytes,
        boolean truncated,
        long durationMs,
        boolean timedOut,
        String cwd,
        boolean shellRestarted,
        String notice) {

    public static CommandOutcome of(CommandResult result) {
        return new CommandOutcome(
                result.ending(),
                result.exitCode(),
                result.output(),
                result.bytes(),
                result.truncated(),
                result.duration().toMillis(),
                result.timedOut(),
                result.cwd(),
                result.shellRestarted(),
                result.notice());
    }

    public CommandResult result() {
        return new CommandResult(
                ending, exitCode, output, bytes, truncated, Duration.ofMillis(durationMs), cwd, shellRestarted, notice);
    }
}
