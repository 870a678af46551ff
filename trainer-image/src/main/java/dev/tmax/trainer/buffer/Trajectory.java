package dev.tmax.trainer.buffer;

import dev.tmax.contracts.rollout.Truncation;
import dev.tmax.model.train.Sample;

/**
 * One finished attempt whose reward counts. Tokens are as the generator sampled them, never encoded anew.
 *
 * @param attempt index within the group
 * @param prompt token ids of the prompt
 * @param sample what followed, up to the last generated token
 * @param logProbabilities log μ of each generated token, natural logarithm
 * @param versions policy version that sampled each generated token
 * @param reward within [0, 1]
 * @param effort what the attempt took
 */
public record Trajectory(
        int attempt,
        int[] prompt,
        Sample sample,
        float[] logProbabilities,
        long[] versions,
        double reward,
        Truncation truncation,
        Effort effort) {

    public Trajectory {
        int generated = sample.generatedTokens();
        if (logProbabilities.length != generated || versions.length != generated) {
            throw new IllegalArgumentException("%d generated tokens, but %d probabilities and %d versions"
                    .formatted(generated, logProbabilities.length, versions.length));
        }
    }

    /** Tokens that the policy generated. */
    public int generatedTokens() {
        return versions.length;
    }

    /** The oldest weights that had a part in it. */
    public long oldestVersion() {
        long oldest = Long.MAX_VALUE;
        for (long version : versions) {
            oldest = Math.min(oldest, version);
        }
        return oldest;
    }

    /**
     * What an attempt took.
     *
     * @param turns assistant turns
     * @param seconds from assignment to reward, as the generator measured
     */
    public record Effort(
            int turns,
            int commands,
            int commandTimeouts,
            double commandSeconds,
            double verifierSeconds,
            double seconds) {}
}
