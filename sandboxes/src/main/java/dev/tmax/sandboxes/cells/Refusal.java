package dev.tmax.sandboxes.cells;

import dev.tmax.sandboxes.CommandRequest;
import dev.tmax.sandboxes.CommandResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** Commands that no shell can take; the model is told, the cell lives on. */
final class Refusal {

    private static final int CANNOT_EXECUTE = 126;

    private Refusal() {}

    static Optional<CommandResult> of(CommandRequest request, String cwd) {
        if (request.command().indexOf(0) >= 0) {
            return Optional.of(refused("The command was not run: it contains a NUL byte.", cwd));
        }
        int bytes = request.command().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > CommandRequest.MAX_COMMAND_BYTES) {
            return Optional.of(refused(
                    "The command was not run: it has " + bytes + " bytes; at most " + CommandRequest.MAX_COMMAND_BYTES
                            + " are taken.",
                    cwd));
        }
        return Optional.empty();
    }

    private static CommandResult refused(String notice, String cwd) {
        return new CommandResult(
                CommandResult.Ending.REFUSED, CANNOT_EXECUTE, "", 0, false, Duration.ZERO, cwd, false, notice);
    }
}
