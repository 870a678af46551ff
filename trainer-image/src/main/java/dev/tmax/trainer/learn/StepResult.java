package dev.tmax.trainer.learn;

/** What became of one batch. */
public sealed interface StepResult {

    LearnStatistics statistics();

    Seconds seconds();

    /** Time of the learner, by what it did. */
    record Seconds(double forwardBackward, double optimizer) {}

    /**
     * The optimizer took the step.
     *
     * @param gradientNorm before clipping
     * @param clippedNorm after clipping
     */
    record Applied(
            LearnStatistics statistics, Seconds seconds, double gradientNorm, double clippedNorm, double learningRate)
            implements StepResult {}

    /** Something was not a number; weights and moments are as before. */
    record Skipped(LearnStatistics statistics, Seconds seconds, String reason) implements StepResult {}
}
