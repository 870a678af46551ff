package dev.tmax.trainer.learn;

/**
 * What one step's tokens say. All means are over the generated tokens of the step's batch.
 *
 * @param loss the policy loss
 * @param logProbDifference |log π − log μ|
 * @param fresh the same over tokens whose weights are the learner's: the mismatch of trainer and generator proper
 * @param kl K3 estimate of KL(μ ‖ π)
 * @param ratioMean mean of π/μ
 * @param droppedFraction tokens without a part in the gradient
 * @param entropy mean, in nats
 * @param stalenessMean learner's version minus the token's
 */
public record LearnStatistics(
        long tokens,
        double loss,
        Difference logProbDifference,
        Fresh fresh,
        double kl,
        double ratioMean,
        double ratioMax,
        double droppedFraction,
        double entropy,
        double stalenessMean,
        long stalenessMax) {

    /** Of a step without any token. */
    public static LearnStatistics none() {
        return new TokenStatistics(0).result();
    }

    /** Of |log π − log μ|. */
    public record Difference(double mean, double p99, double max) {}

    /** Of |log π − log μ| over {@code tokens} tokens of the learner's own version. */
    public record Fresh(long tokens, double mean, double max) {}
}
