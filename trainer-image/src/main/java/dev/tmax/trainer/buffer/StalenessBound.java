package dev.tmax.trainer.buffer;

import java.util.Arrays;
import java.util.Collection;

/**
 * Keeps tokens from becoming too old, by admission instead of by throwing away.
 *
 * <p>A group that is begun on weights {@code v} must be trained by a learner whose weights are at most {@code v +
 * asyncSteps}: that is its deadline. Each step trains {@code groupsPerStep} groups, so a set of groups can be trained in
 * time exactly when, for every later version, no more groups are due by then than steps up to it can take (earliest
 * deadline first is optimal on one machine). A group is begun only where that holds, and a step may go ahead of groups
 * that still run only where it still holds afterwards.
 */
public record StalenessBound(int asyncSteps, int groupsPerStep) {

    /** The last learner version that may train a group begun on these weights. */
    public long deadline(long weightsVersion) {
        return weightsVersion + asyncSteps;
    }

    /** Groups that may be under way or wait for the learner at the same time. */
    public int maxOutstanding() {
        return (asyncSteps + 1) * groupsPerStep;
    }

    /** Whether groups of these deadlines can all be trained in time from this learner version on. */
    public boolean feasible(Collection<Long> deadlines, long learnerVersion) {
        long[] due = deadlines.stream().mapToLong(Long::longValue).sorted().toArray();
        for (int i = 0; i < due.length; i++) {
            long steps = due[i] - learnerVersion + 1;
            if (steps * groupsPerStep < i + 1) {
                return false;
            }
        }
        return true;
    }

    /** As {@link #feasible(Collection, long)} with one more group, begun on these weights. */
    public boolean admits(Collection<Long> deadlines, long weightsVersion, long learnerVersion) {
        long[] all = Arrays.copyOf(deadlines.stream().mapToLong(Long::longValue).toArray(), deadlines.size() + 1);
        all[all.length - 1] = deadline(weightsVersion);
        return feasible(Arrays.stream(all).boxed().toList(), learnerVersion);
    }
}
