package dev.tmax.trainer.checkpoint;

import dev.tmax.trainer.schedule.ScheduleState;
import java.util.List;

/**
 * What a snapshot holds beside weights and moments. Random numbers need no state: every seed is a function of run,
 * prompt and attempt.
 *
 * @param run name of the run, so that one run's folder is not taken for another's
 * @param step optimizer steps done
 * @param rewards mean reward of each step
 * @param skippedSteps steps whose gradient or loss was not finite
 */
public record TrainerState(
        String run, int step, ScheduleState schedule, GroupTotals groups, List<Double> rewards, long skippedSteps) {

    public TrainerState {
        rewards = List.copyOf(rewards);
    }

    public static TrainerState start(String run) {
        return new TrainerState(run, 0, ScheduleState.start(), GroupTotals.NONE, List.of(), 0);
    }
}
