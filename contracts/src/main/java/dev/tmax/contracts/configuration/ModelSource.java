package dev.tmax.contracts.configuration;

import static dev.tmax.contracts.configuration.Check.require;
import static dev.tmax.contracts.configuration.Check.requirePositive;

/**
 * The model to start from and the lengths of an episode, in tokens.
 *
 * @param path folder in Hugging Face layout
 * @param maxPromptTokens system prompt and instruction
 * @param maxResponseTokens everything after the prompt in a whole episode, observations included
 * @param maxTurnTokens one assistant turn
 */
public record ModelSource(String path, int maxPromptTokens, int maxResponseTokens, int maxTurnTokens) {

    public ModelSource {
        require(path != null && !path.isBlank(), "model.path", path, "name a folder in Hugging Face layout");
        requirePositive(maxPromptTokens, "model.maxPromptTokens");
        requirePositive(maxResponseTokens, "model.maxResponseTokens");
        requirePositive(maxTurnTokens, "model.maxTurnTokens");
        require(
                maxTurnTokens <= maxResponseTokens,
                "model.maxTurnTokens",
                maxTurnTokens,
                "a turn is part of the response: at most maxResponseTokens, " + maxResponseTokens);
    }

    /** Longest sequence of an episode, in tokens. */
    public int maxSequenceTokens() {
        return maxPromptTokens + maxResponseTokens;
    }
}
