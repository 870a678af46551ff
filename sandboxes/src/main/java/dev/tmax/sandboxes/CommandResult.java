package dev.tmax.sandboxes;

import java.time.Duration;

/**
 * What came of a command.
 *
 * @param ending how it ended
 * @param exitCode of the command; 128 + signal where one killed it; 124 on timeout
 * @param output standard output and error in the order written, as UTF-8 with replacement characters; where
 *     {@link #truncated}, the first and the last half of the limit with a line between that tells how much is missing
 * @param bytes of output in all
 * @param truncated whether output was left out
 * @param duration wall time
 * @param cwd the shell's folder afterwards
 * @param shellRestarted whether the shell ended with this command and a new one was started in the same folder
 * @param notice a sentence for the model where something out of the ordinary happened, else empty
 */
public record CommandResult(
        Ending ending,
        int exitCode,
        String output,
        long bytes,
        boolean truncated,
        Duration duration,
        String cwd,
        boolean shellRestarted,
        String notice) {

    /** How a command ended. */
    public enum Ending {
        /** By itself. */
        COMPLETED,
        /** Its processes were killed at the timeout. */
        TIMED_OUT,
        /** A process of the cell was killed because the cell was over one of its limits. */
        OVER_LIMIT,
        /** It was not run: {@link CommandResult#notice} says why. */
        REFUSED
    }

    public boolean timedOut() {
        return ending == Ending.TIMED_OUT;
    }
}
