package dev.tmax.generator.decode;

import dev.tmax.model.decode.StopReason;

/**
 * What the policy said in one turn. The three arrays have an entry for each token.
 *
 * @param tokens as sampled, the one that ended the turn included
 * @param logProbabilities natural, under the distribution each token was drawn from
 * @param policyVersions weights that sampled each token: they may change within a turn
 * @param stop why it ended
 */
public record SampledTurn(int[] tokens, float[] logProbabilities, long[] policyVersions, StopReason stop) {

    /** The last token, or −1 where there is none. */
    public int lastToken() {
        return tokens.length == 0 ? -1 : tokens[tokens.length - 1];
    }
}
