package dev.tmax.trainer.buffer;

import dev.tmax.contracts.rollout.Truncation;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts what comes to an end between two batches. Not thread-safe. */
public final class RolloutTally {

    private static final int TENTHS = 10;

    private final Integer[] solveRates = new Integer[TENTHS + 1];
    private final Map<String, Integer> stale = new TreeMap<>();
    private final Map<String, Integer> truncations = new TreeMap<>();
    private double rewardSum;
    private long attempts;
    private double trainedRewardSum;
    private long trainedAttempts;
    private int trained;
    private int filteredAllZero;
    private int filteredAllOne;
    private int failed;
    private int replaced;
    private int verifierFailures;
    private int infrastructureFailures;
    private long tokens;
    private int lengthMax;
    private long commands;
    private double commandSeconds;
    private long commandTimeouts;
    private double verifierSeconds;
    private double episodeSeconds;

    public RolloutTally() {
        Arrays.fill(solveRates, 0);
    }

    public void trained(CompleteGroup group) {
        trained++;
        count(group);
        group.trajectories().forEach(trajectory -> {
            trainedRewardSum += trajectory.reward();
            trainedAttempts++;
        });
    }

    /** A group whose rewards are all equal; partial rewards count to the nearer end. */
    public void filtered(CompleteGroup group) {
        if (group.meanReward() < 0.5) {
            filteredAllZero++;
        } else {
            filteredAllOne++;
        }
        count(group);
    }

    /** Groups without signal so far. */
    public int filtered() {
        return filteredAllZero + filteredAllOne;
    }

    public void stale(String taskId) {
        stale.merge(taskId, 1, Integer::sum);
    }

    public void failed() {
        failed++;
    }

    public void replaced() {
        replaced++;
    }

    public void verifierFailed() {
        verifierFailures++;
    }

    public void infrastructureFailed() {
        infrastructureFailures++;
    }

    private void count(CompleteGroup group) {
        solveRates[(int) Math.floor(group.meanReward() * TENTHS + 1e-9)]++;
        for (Trajectory trajectory : group.trajectories()) {
            rewardSum += trajectory.reward();
            attempts++;
            tokens += trajectory.generatedTokens();
            lengthMax = Math.max(lengthMax, trajectory.generatedTokens());
            if (trajectory.truncation() != Truncation.NONE) {
                truncations.merge(trajectory.truncation().name(), 1, Integer::sum);
            }
            Trajectory.Effort effort = trajectory.effort();
            commands += effort.commands();
            commandSeconds += effort.commandSeconds();
            commandTimeouts += effort.commandTimeouts();
            verifierSeconds += effort.verifierSeconds();
            episodeSeconds += effort.seconds();
        }
    }

    public RolloutStatistics result() {
        double count = Math.max(1, attempts);
        return new RolloutStatistics(
                rewardSum / count,
                trainedRewardSum / Math.max(1, trainedAttempts),
                List.of(solveRates),
                trained,
                filteredAllZero,
                filteredAllOne,
                Map.copyOf(stale),
                failed,
                replaced,
                verifierFailures,
                infrastructureFailures,
                tokens,
                tokens / count,
                lengthMax,
                Map.copyOf(truncations),
                commands,
                commandSeconds,
                commandTimeouts,
                verifierSeconds,
                episodeSeconds / count);
    }
}
