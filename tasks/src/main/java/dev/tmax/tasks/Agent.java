package dev.tmax.tasks;

import java.time.Duration;
import java.util.Optional;

/**
 * Limits of the agent.
 *
 * @param timeout for the whole attempt; empty for no limit
 * @param user name or uid that its commands run as; empty for the user of the image
 * @param network overrides the network of the environment while the agent works
 */
public record Agent(Optional<Duration> timeout, Optional<String> user, Optional<Network> network) {}
