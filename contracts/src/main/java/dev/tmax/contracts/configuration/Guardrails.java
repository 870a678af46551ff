package dev.tmax.contracts.configuration;

/**
 * What stops a run that goes wrong.
 *
 * @param maxLogProbDifference mean |log π − log μ| at staleness 0; null for no bound
 * @param minEntropy mean entropy, nats; null for no bound
 */
public record Guardrails(Double maxLogProbDifference, Double minEntropy, Action action) {

    public static final Guardrails NONE = new Guardrails(null, null, Action.NONE);

    public Guardrails {
        action = action == null ? Action.NONE : action;
    }

    /** NONE only measures; PAUSE checkpoints and stops issuing; ROLLBACK returns to the last checkpoint. */
    public enum Action {
        NONE,
        PAUSE,
        ROLLBACK
    }
}
