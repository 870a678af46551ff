package dev.tmax.trainer.learn;

import dev.tmax.contracts.configuration.Recipe;
import dev.tmax.model.train.ForwardResult;
import dev.tmax.model.train.OptimizerResult;
import dev.tmax.model.train.TrainingEngine;
import dev.tmax.trainer.buffer.CompleteGroup;
import dev.tmax.trainer.buffer.Trajectory;
import java.util.List;
import java.util.Optional;

/**
 * One optimizer step from one batch of groups.
 *
 * <p>The loss is the sum over all generated tokens of the batch, divided once by their number: it does not depend on how
 * the batch is cut into rows. Used by one thread.
 */
public final class Learner {

    private final Recipe recipe;
    private final PolicyLoss loss;
    private final TrainingEngine engine;
    private final Optional<TrainingEngine> reference;
    private final int rowTokens;

    /** @param reference the model of the KL term; present exactly where {@code recipe.klCoefficient} is not 0 */
    public Learner(Recipe recipe, TrainingEngine engine, Optional<TrainingEngine> reference) {
        this(recipe, engine, reference, MicroBatches.ROW_TOKENS);
    }

    Learner(Recipe recipe, TrainingEngine engine, Optional<TrainingEngine> reference, int rowTokens) {
        this.rowTokens = rowTokens;
        this.recipe = recipe;
        this.loss = PolicyLoss.of(recipe);
        this.engine = engine;
        this.reference = reference;
    }

    /**
     * Refuses, at the start of a run, a recipe that has no loss here.
     *
     * @throws dev.tmax.contracts.configuration.InvalidConfigurationException with field, value and remedy
     */
    public static void check(Recipe recipe) {
        PolicyLoss.of(recipe);
    }

    /**
     * @param groups with differing rewards, or with a KL term any; at least one
     * @param policyVersion of the learner's weights, for staleness
     * @param step optimizer steps done before
     */
    public StepResult step(List<CompleteGroup> groups, long policyVersion, int step) {
        long start = System.nanoTime();
        TokenStatistics statistics = new TokenStatistics(policyVersion);
        engine.zeroGradients();
        for (CompleteGroup group : groups) {
            double[] advantages = Advantages.of(recipe.advantage(), group.rewards());
            for (MicroBatches.Row row : MicroBatches.of(group, advantages, rowTokens)) {
                accumulate(row, statistics);
            }
            if (!statistics.finite()) {
                engine.zeroGradients();
                return new StepResult.Skipped(
                        statistics.result(),
                        new StepResult.Seconds(seconds(start), 0),
                        "a log-probability or loss of group " + group.number() + " is not finite");
            }
        }
        double forwardBackward = seconds(start);
        start = System.nanoTime();
        double learningRate = LearningRate.at(recipe.optimizer(), step, recipe.steps());
        OptimizerResult result =
                engine.step(learningRate, recipe.optimizer().maxGradNorm(), 1.0 / Math.max(1, statistics.tokens()));
        StepResult.Seconds seconds = new StepResult.Seconds(forwardBackward, seconds(start));
        return result.applied()
                ? new StepResult.Applied(
                        statistics.result(),
                        seconds,
                        result.gradientNorm(),
                        result.gradientNorm() * result.clipFactor(),
                        learningRate)
                : new StepResult.Skipped(statistics.result(), seconds, "the gradient is not finite");
    }

    private void accumulate(MicroBatches.Row row, TokenStatistics statistics) {
        float[] referenceLogs = reference.map(model -> evaluate(model, row)).orElse(null);
        try (ForwardResult forward = engine.forward(row.batch())) {
            float[] logPi = forward.logProbabilities();
            float[] entropies = forward.entropies();
            float[] coefficients = new float[logPi.length];
            int next = 0;
            for (int i = 0; i < row.trajectories().size(); i++) {
                Trajectory trajectory = row.trajectories().get(i);
                for (int t = 0; t < trajectory.generatedTokens(); t++, next++) {
                    double logMu = trajectory.logProbabilities()[t];
                    PolicyLoss.Token token = loss.token(logPi[next], logMu, row.advantages()[i]);
                    if (referenceLogs != null) {
                        token = withReference(token, logPi[next], referenceLogs[next]);
                    }
                    coefficients[next] = (float) token.coefficient();
                    statistics.add(
                            logPi[next], logMu, entropies[next], trajectory.versions()[t], token);
                }
            }
            if (statistics.finite()) {
                engine.backward(forward, coefficients);
            }
        }
    }

    private PolicyLoss.Token withReference(PolicyLoss.Token token, double logPi, double logReference) {
        double weight = recipe.klCoefficient();
        return new PolicyLoss.Token(
                token.loss() + weight * Divergences.k3(logPi, logReference),
                token.coefficient() + weight * Divergences.k3Gradient(logPi, logReference),
                token.kept());
    }

    private static float[] evaluate(TrainingEngine model, MicroBatches.Row row) {
        try (ForwardResult result = model.evaluate(row.batch())) {
            return result.logProbabilities();
        }
    }

    private static double seconds(long start) {
        return (System.nanoTime() - start) / 1e9;
    }
}
