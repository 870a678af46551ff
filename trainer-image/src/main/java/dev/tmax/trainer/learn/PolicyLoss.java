package dev.tmax.trainer.learn;

import dev.tmax.contracts.configuration.InvalidConfigurationException;
import dev.tmax.contracts.configuration.Recipe;

/**
 * The loss of one generated token as a function of log π: its value, and its derivative by log π, which is the
 * coefficient that the training engine multiplies the token's gradient with.
 *
 * <p>Throughout, r = π/μ with log r clamped to ±20, and A is the advantage of the token's attempt. Where the ratio
 * multiplies a gradient it is bounded by {@value #MAX_RATIO}: below that the gradient is the one of −A·r; above it the
 * original would explode for A &lt; 0.
 */
sealed interface PolicyLoss {

    /** Bound of log r. */
    double MAX_LOG_RATIO = 20;

    /** Bound of r in gradients. */
    double MAX_RATIO = 20;

    /** What the loss says of one token; {@code kept} is false where it has no part in the gradient. */
    record Token(double loss, double coefficient, boolean kept) {

        private static Token dropped() {
            return new Token(0, 0, false);
        }
    }

    /**
     * @param logPi log π, the learner's
     * @param logMu log μ, recorded by the generator
     * @param advantage A of the attempt
     */
    Token token(double logPi, double logMu, double advantage);

    /** The loss that a recipe asks for. */
    static PolicyLoss of(Recipe recipe) {
        return switch (recipe.algorithm()) {
            case DPPO -> new Dppo(recipe.dppo().divergence(), recipe.dppo().threshold());
            case GRPO -> new Clipped(1 - 0.2, 1 + 0.2);
            case DAPO -> new Clipped(1 - 0.2, 1 + 0.272);
            case CISPO -> new Cispo(2.0);
            case SFT ->
                throw new InvalidConfigurationException(
                        "recipe.algorithm",
                        "SFT",
                        "a task set has no demonstrations to learn from: use DPPO, GRPO, DAPO or CISPO");
        };
    }

    /** r = π/μ, within e^±20. */
    static double ratio(double logPi, double logMu) {
        return Math.exp(Math.clamp(logPi - logMu, -MAX_LOG_RATIO, MAX_LOG_RATIO));
    }

    private static Token reinforce(double advantage, double weight, double logPi) {
        return new Token(-advantage * weight * logPi, -advantage * weight, true);
    }

    /**
     * Divergence PPO: a token is dropped if the policies differ too much on it and the update would push them further
     * apart.
     */
    record Dppo(Recipe.Dppo.Divergence divergence, double threshold) implements PolicyLoss {

        @Override
        public Token token(double logPi, double logMu, double advantage) {
            double ratio = ratio(logPi, logMu);
            boolean pushesApart = advantage > 0 && ratio > 1 || advantage < 0 && ratio < 1;
            if (pushesApart && Divergences.of(divergence, logPi, logMu) > threshold) {
                return Token.dropped();
            }
            // The value is −A·r; the gradient is that of −A·stopgrad(min(r, 20))·log π.
            return new Token(-advantage * ratio, -advantage * Math.min(ratio, MAX_RATIO), true);
        }
    }

    /** PPO's clipped surrogate: GRPO, and DAPO with its higher upper bound. */
    record Clipped(double low, double high) implements PolicyLoss {

        @Override
        public Token token(double logPi, double logMu, double advantage) {
            double ratio = ratio(logPi, logMu);
            if (advantage > 0 && ratio > high) {
                return new Token(-advantage * high, 0, false);
            }
            if (advantage < 0 && ratio < low) {
                return new Token(-advantage * low, 0, false);
            }
            return new Token(-advantage * ratio, -advantage * Math.min(ratio, MAX_RATIO), true);
        }
    }

    /** Clipped importance weights on the log-probability: every token keeps a gradient. */
    record Cispo(double cap) implements PolicyLoss {

        @Override
        public Token token(double logPi, double logMu, double advantage) {
            return reinforce(advantage, Math.min(ratio(logPi, logMu), cap), logPi);
        }
    }
}
