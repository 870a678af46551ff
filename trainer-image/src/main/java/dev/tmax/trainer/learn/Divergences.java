package dev.tmax.trainer.learn;

import dev.tmax.contracts.configuration.Recipe;

/** How far two policies are apart, seen on one sampled token. */
final class Divergences {

    private Divergences() {}

    /** Divergence of the two-way distributions {sampled token, any other} under μ and π. */
    static double of(Recipe.Dppo.Divergence kind, double logPi, double logMu) {
        double pi = Math.exp(Math.min(logPi, 0));
        double mu = Math.exp(Math.min(logMu, 0));
        return switch (kind) {
            case TOTAL_VARIATION -> Math.abs(pi - mu);
            case KL -> term(mu, pi) + term(1 - mu, 1 - pi);
        };
    }

    private static double term(double mu, double pi) {
        return mu == 0 ? 0 : mu * Math.log(mu / Math.max(pi, Double.MIN_NORMAL));
    }

    /**
     * The K3 estimate of KL(π ‖ other) from a token sampled by π: e^d − d − 1 with d = log other − log π. Never negative.
     */
    static double k3(double logPi, double logOther) {
        double difference = Math.clamp(logOther - logPi, -PolicyLoss.MAX_LOG_RATIO, PolicyLoss.MAX_LOG_RATIO);
        return Math.expm1(difference) - difference;
    }

    /** Derivative of {@link #k3} by log π. */
    static double k3Gradient(double logPi, double logOther) {
        double difference = Math.clamp(logOther - logPi, -PolicyLoss.MAX_LOG_RATIO, PolicyLoss.MAX_LOG_RATIO);
        return -Math.expm1(difference);
    }
}
