package dev.tmax.sandboxes.verify;

/** What verification found. Only {@link Rewarded} reaches the loss. */
public sealed interface Outcome {

    /** What the tests printed, shortened, for people; empty where they did not run. */
    String testOutput();

    /**
     * The tests gave a reward.
     *
     * @param reward within [0, 1]
     */
    record Rewarded(double reward, String testOutput) implements Outcome {}

    /**
     * The tests ran, or could not be run because of the task or of what the attempt did, and gave no valid reward.
     *
     * @param reason a sentence a person can act on
     */
    record VerifierFailed(String reason, String testOutput) implements Outcome {}

    /**
     * The sandbox failed; the attempt is issued again.
     *
     * @param reason a sentence a person can act on
     */
    record InfraFailed(String reason, String testOutput) implements Outcome {}
}
