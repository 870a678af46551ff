package dev.tmax.trainer.learn;

import dev.tmax.contracts.configuration.Recipe;

/** The learning rate over the steps of a run. */
final class LearningRate {

    private LearningRate() {}

    /**
     * @param step optimizer steps done before this one
     * @param steps of the whole run
     */
    static double at(Recipe.Optimizer optimizer, int step, int steps) {
        double peak = optimizer.learningRate();
        int warmup = optimizer.warmupSteps();
        if (step < warmup) {
            return peak * (step + 1) / warmup;
        }
        double progress = (double) (step - warmup) / Math.max(1, steps - warmup);
        return switch (optimizer.schedule()) {
            case CONSTANT -> peak;
            case LINEAR -> peak * (1 - progress);
            case COSINE -> peak * (1 + Math.cos(Math.PI * progress)) / 2;
        };
    }
}
