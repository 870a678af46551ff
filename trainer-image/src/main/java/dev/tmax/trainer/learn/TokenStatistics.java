package dev.tmax.trainer.learn;

import java.util.Arrays;

/** Sums over the generated tokens of a step. Not thread-safe. */
final class TokenStatistics {

    private final long learnerVersion;
    private float[] differences = new float[1024];
    private int tokens;
    private double loss;
    private double differenceSum;
    private double freshSum;
    private double freshMax;
    private long freshTokens;
    private double k3;
    private double ratioSum;
    private double ratioMax;
    private long dropped;
    private double entropy;
    private double stalenessSum;
    private long stalenessMax;
    private boolean finite = true;

    TokenStatistics(long learnerVersion) {
        this.learnerVersion = learnerVersion;
    }

    /**
     * Adds one generated token.
     *
     * @param entropyNats of the learner's distribution there
     * @param version weights that sampled it
     */
    void add(double logPi, double logMu, double entropyNats, long version, PolicyLoss.Token token) {
        finite &= Double.isFinite(logPi) && Double.isFinite(token.coefficient()) && Double.isFinite(token.loss());
        double difference = Math.abs(logPi - logMu);
        double ratio = PolicyLoss.ratio(logPi, logMu);
        if (tokens == differences.length) {
            differences = Arrays.copyOf(differences, 2 * tokens);
        }
        differences[tokens++] = (float) difference;
        differenceSum += difference;
        if (version == learnerVersion) {
            freshTokens++;
            freshSum += difference;
            freshMax = Math.max(freshMax, difference);
        }
        loss += token.loss();
        k3 += Divergences.k3(logMu, logPi);
        ratioSum += ratio;
        ratioMax = Math.max(ratioMax, ratio);
        dropped += token.kept() ? 0 : 1;
        entropy += entropyNats;
        long staleness = Math.max(0, learnerVersion - version);
        stalenessSum += staleness;
        stalenessMax = Math.max(stalenessMax, staleness);
    }

    /** Whether every log-probability, loss and coefficient so far is a number. */
    boolean finite() {
        return finite;
    }

    int tokens() {
        return tokens;
    }

    LearnStatistics result() {
        double count = Math.max(1, tokens);
        float[] sorted = Arrays.copyOf(differences, tokens);
        Arrays.sort(sorted);
        return new LearnStatistics(
                tokens,
                loss / count,
                new LearnStatistics.Difference(
                        differenceSum / count,
                        tokens == 0 ? 0 : sorted[(int) Math.min(tokens - 1, Math.ceil(0.99 * tokens))],
                        tokens == 0 ? 0 : sorted[tokens - 1]),
                new LearnStatistics.Fresh(freshTokens, freshSum / Math.max(1, freshTokens), freshMax),
                k3 / count,
                ratioSum / count,
                ratioMax,
                dropped / count,
                entropy / count,
                stalenessSum / count,
                stalenessMax);
    }
}
