package dev.tmax.sandboxes;

import java.time.Duration;

/**
 * A command for the persistent shell of a cell.
 *
 * @param commandId unique in its cell: asked again with the same id, the host waits for or returns the same result
 * @param command as the model wrote it; at most {@link #MAX_COMMAND_BYTES} of UTF-8
 * @param timeout after which its processes are ended
 * @param outputLimit characters of output kept: the first and the last half of it
 */
public record CommandRequest(String commandId, String command, Duration timeout, int outputLimit) {

    public static final int MAX_COMMAND_BYTES = 2 << 20;
    public static final int DEFAULT_OUTPUT_LIMIT = 10_000;
    public static final int MAX_OUTPUT_LIMIT = 1 << 20;

    public CommandRequest {
        if (commandId.isEmpty() || commandId.length() > 200) {
            throw new IllegalArgumentException("commandId '" + commandId + "': use 1 to 200 characters");
        }
        Bounds.requireTimeout(timeout);
        Bounds.requireOutputLimit(outputLimit);
    }

    public static CommandRequest of(String commandId, String command, Duration timeout) {
        return new CommandRequest(commandId, command, timeout, DEFAULT_OUTPUT_LIMIT);
    }
}
