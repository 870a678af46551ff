package dev.tmax.model.decode;

import java.util.List;
import java.util.Set;

/**
 * What ends a turn.
 *
 * @param maxNewTokens most tokens sampled in this turn
 * @param stopStrings texts that end the turn once generated text contains one; the token that completes it is kept
 * @param stopTokens token ids that end the turn; the stop token is kept as the turn's last
 */
public record GenerationLimits(int maxNewTokens, List<String> stopStrings, Set<Integer> stopTokens) {
    public GenerationLimits {
        if (maxNewTokens < 1) {
            throw new IllegalArgumentException("maxNewTokens: " + maxNewTokens + "; give at least 1");
        }
        stopStrings = List.copyOf(stopStrings);
        stopTokens = Set.copyOf(stopTokens);
        if (stopStrings.contains("")) {
            throw new IllegalArgumentException("stopStrings: contains an empty text; every turn would stop at once");
        }
    }
}
