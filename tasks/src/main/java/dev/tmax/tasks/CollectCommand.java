package dev.tmax.tasks;

import java.time.Duration;
import java.util.Optional;

/**
 * A command that is run after the agent and before the tests; that it fails changes nothing.
 *
 * @param command for {@code bash -c}
 * @param timeout of the command
 * @param user name or uid that it runs as; empty for the user of the image
 */
public record CollectCommand(String command, Duration timeout, Optional<String> user) {}
