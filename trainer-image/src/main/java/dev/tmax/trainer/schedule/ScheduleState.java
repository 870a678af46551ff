package dev.tmax.trainer.schedule;

import java.util.List;

/**
 * What a checkpoint keeps of the schedule.
 *
 * @param cursor number of the next new prompt
 * @param inFlight prompts that were issued and belong to no finished step, by number
 */
public record ScheduleState(long cursor, List<Prompt> inFlight) {

    public ScheduleState {
        inFlight = List.copyOf(inFlight);
    }

    public static ScheduleState start() {
        return new ScheduleState(0, List.of());
    }
}
