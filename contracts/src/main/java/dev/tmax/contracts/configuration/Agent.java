package dev.tmax.contracts.configuration;

import static dev.tmax.contracts.configuration.Check.requirePositive;

/**
 * The agent loop: think, run one command, observe.
 *
 * @param maxTurns assistant turns of an episode
 * @param observationLimit characters of a command's output that the model sees; more is cut in the middle
 * @param systemPrompt text of the system message; null for none
 */
public record Agent(int maxTurns, int commandTimeoutSeconds, int observationLimit, String systemPrompt) {

    public static final Agent DEFAULT = new Agent(64, 120, 10_000, null);

    public Agent {
        requirePositive(maxTurns, "agent.maxTurns");
        requirePositive(commandTimeoutSeconds, "agent.commandTimeoutSeconds");
        requirePositive(observationLimit, "agent.observationLimit");
    }
}
