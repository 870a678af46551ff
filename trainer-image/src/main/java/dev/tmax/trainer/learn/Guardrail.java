package dev.tmax.trainer.learn;

import dev.tmax.contracts.configuration.Guardrails;
import java.util.Optional;

/** Signals that say that a run goes wrong while every number still is one. */
public final class Guardrail {

    /**
     * A signal beyond its bound.
     *
     * @param signal field of the configuration that sets the bound
     */
    public record Violation(String signal, double value, double bound) {

        @Override
        public String toString() {
            return "%s: %.6g is beyond the bound of %.6g".formatted(signal, value, bound);
        }
    }

    private Guardrail() {}

    /** What a step's statistics violate, if anything. A mismatch is judged only on tokens of the learner's own version. */
    public static Optional<Violation> check(Guardrails bounds, LearnStatistics statistics) {
        if (bounds.maxLogProbDifference() != null
                && statistics.fresh().tokens() > 0
                && statistics.fresh().mean() > bounds.maxLogProbDifference()) {
            return Optional.of(
                    new Violation("maxLogProbDifference", statistics.fresh().mean(), bounds.maxLogProbDifference()));
        }
        if (bounds.minEntropy() != null && statistics.tokens() > 0 && statistics.entropy() < bounds.minEntropy()) {
            return Optional.of(new Violation("minEntropy", statistics.entropy(), bounds.minEntropy()));
        }
        return Optional.empty();
    }
}
