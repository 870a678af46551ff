package dev.tmax.tasks.trial;

import dev.tmax.sandboxes.verify.Outcome;
import dev.tmax.tasks.RewardStrategy;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What came of a trial.
 *
 * @param outcome of the whole task
 * @param steps those that were begun, in their order
 * @param duration wall time
 */
public record TrialResult(Outcome outcome, List<StepResult> steps, Duration duration) {
    public TrialResult {
        steps = List.copyOf(steps);
    }

    /** With the outcomes of the steps as one: a sandbox that failed makes the whole fail. */
    static TrialResult of(List<StepResult> steps, RewardStrategy strategy, Duration duration) {
        if (steps.size() == 1) {
            return new TrialResult(steps.getFirst().outcome(), steps, duration);
        }
        String testOutput = steps.getLast().outcome().testOutput();
        for (StepResult step : steps) {
            if (step.outcome() instanceof Outcome.InfraFailed) {
                return new TrialResult(new Outcome.InfraFailed(step.summary(), testOutput), steps, duration);
            }
        }
        OptionalDouble reward =
                strategy.combine(steps.stream().map(StepResult::reward).toList());
        Outcome outcome = reward.isPresent()
                ? new Outcome.Rewarded(reward.getAsDouble(), testOutput)
                : new Outcome.VerifierFailed(steps.getLast().summary(), testOutput);
        return new TrialResult(outcome, steps, duration);
    }

    /** The reward, where there is one. */
    public OptionalDouble reward() {
        return outcome instanceof Outcome.Rewarded rewarded
                ? OptionalDouble.of(rewarded.reward())
                : OptionalDouble.empty();
    }
}
