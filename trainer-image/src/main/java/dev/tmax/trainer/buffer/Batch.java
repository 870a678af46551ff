package dev.tmax.trainer.buffer;

import java.util.List;
import java.util.Set;

/**
 * The groups of one step.
 *
 * @param groups by number of their prompt; with differing rewards, unless the loss wants the others too
 * @param rollouts what was rolled out for them
 * @param settled numbers of all prompts that this step accounts for, trained or not
 */
public record Batch(List<CompleteGroup> groups, RolloutStatistics rollouts, Set<Long> settled) {

    public Batch {
        groups = List.copyOf(groups);
        settled = Set.copyOf(settled);
    }
}
