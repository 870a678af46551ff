package dev.tmax.trainer.buffer;

import java.util.Comparator;
import java.util.List;

/**
 * All attempts at one task that came to a reward.
 *
 * @param number of the prompt in the schedule
 * @param trajectories at least one, by attempt
 */
public record CompleteGroup(long number, String taskId, List<Trajectory> trajectories) {

    public CompleteGroup {
        if (trajectories.isEmpty()) {
            throw new IllegalArgumentException("group " + number + " has no trajectory");
        }
        trajectories = trajectories.stream()
                .sorted(Comparator.comparingInt(Trajectory::attempt))
                .toList();
    }

    /** Rewards by attempt. */
    public double[] rewards() {
        return trajectories.stream().mapToDouble(Trajectory::reward).toArray();
    }

    public double meanReward() {
        return trajectories.stream().mapToDouble(Trajectory::reward).average().orElseThrow();
    }

    /** Whether rewards differ, so that the group says what is better than what. */
    public boolean hasSignal() {
        double first = trajectories.getFirst().reward();
        return trajectories.stream().anyMatch(trajectory -> trajectory.reward() != first);
    }

    /** The oldest weights that had a part in it. */
    public long oldestVersion() {
        return trajectories.stream().mapToLong(Trajectory::oldestVersion).min().orElseThrow();
    }

    public int generatedTokens() {
        return trajectories.stream().mapToInt(Trajectory::generatedTokens).sum();
    }
}
