package dev.tmax.trainer.status;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.tmax.trainer.buffer.RolloutStatistics;
import dev.tmax.trainer.learn.LearnStatistics;

/**
 * One line of the run's history.
 *
 * @param step optimizer steps done after it
 * @param policyVersion of the weights after it
 * @param reward mean over all attempts that ended for this step
 * @param skipped why the optimizer did not take the step; null where it did
 * @param gradientNorm before clipping; null where skipped
 * @param tokensPerSecond generated tokens of this step by its wall-clock seconds
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StepRecord(
        int step,
        long policyVersion,
        String time,
        double reward,
        String skipped,
        Double gradientNorm,
        Double clippedNorm,
        Double learningRate,
        double tokensPerSecond,
        Seconds seconds,
        LearnStatistics learning,
        RolloutStatistics rollouts) {

    /** Wall-clock seconds of the learner, by what it did. */
    public record Seconds(double waiting, double forwardBackward, double optimizer, double publishing, double total) {}
}
