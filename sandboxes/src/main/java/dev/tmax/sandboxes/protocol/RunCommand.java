package dev.tmax.sandboxes.protocol;

import dev.tmax.sandboxes.CommandRequest;
import java.time.Duration;

/**
 * Body of {@code POST /v1/cells/{id}/commands}.
 *
 * @param outputLimit null: {@link CommandRequest#DEFAULT_OUTPUT_LIMIT}
 */
public record RunCommand(String commandId, String command, long timeoutMs, Integer outputLimit) {

    public static RunCommand of(CommandRequest request) {
        return new RunCommand(
                request.commandId(), request.command(), request.timeout().toMillis(), request.outputLimit());
    }

    public CommandRequest request() {
        if (command == null) {
            throw new IllegalArgumentException("command: missing");
        }
        return new CommandRequest(
                commandId == null ? "" : commandId,
                command,
                Duration.ofMillis(timeoutMs),
                outputLimit == null ? CommandRequest.DEFAULT_OUTPUT_LIMIT : outputLimit);
    }
}
