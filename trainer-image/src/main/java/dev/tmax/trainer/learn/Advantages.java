package dev.tmax.trainer.learn;

import dev.tmax.contracts.configuration.Recipe;
import java.util.Arrays;

/** How rewards of one group become advantages. */
final class Advantages {

    private static final double EPSILON = 1e-8;

    private Advantages() {}

    /**
     * @param rewards R, one an attempt of the group
     * @return A, one an attempt
     */
    static double[] of(Recipe.Advantage kind, double[] rewards) {
        double mean = Arrays.stream(rewards).average().orElseThrow();
        double scale = switch (kind) {
            case CENTERED -> 1;
            case STANDARDIZED -> 1 / (deviation(rewards, mean) + EPSILON);
            case MAX_RL -> mean == 0 ? 0 : 1 / mean;
        };
        return Arrays.stream(rewards).map(reward -> (reward - mean) * scale).toArray();
    }

    /** Standard deviation of the whole group, not an estimate from a sample. */
    private static double deviation(double[] rewards, double mean) {
        return Math.sqrt(Arrays.stream(rewards)
                .map(reward -> (reward - mean) * (reward - mean))
                .average()
                .orElseThrow());
    }
}
