package dev.tmax.trainer.buffer;

import dev.tmax.contracts.rollout.Truncation;
import dev.tmax.model.train.Sample;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Builds trajectories and groups for tests. */
public final class Attempts {

    private Attempts() {}

    /** An attempt of three generated tokens by one version. */
    public static Trajectory rewarded(int attempt, double reward, long version) {
        long[] versions = new long[3];
        Arrays.fill(versions, version);
        return new Trajectory(
                attempt,
                new int[] {1, 2},
                new Sample(new int[] {3, 4, 5}, new boolean[] {true, true, true}),
                new float[] {-0.5f, -0.5f, -0.5f},
                versions,
                reward,
                Truncation.NONE,
                new Trajectory.Effort(1, 1, 0, 0.5, 0.25, 2));
    }

    public static CompleteGroup group(long number, double... rewards) {
        List<Trajectory> trajectories = new ArrayList<>();
        for (int i = 0; i < rewards.length; i++) {
            trajectories.add(rewarded(i, rewards[i], 0));
        }
        return new CompleteGroup(number, "task-" + number, trajectories);
    }
}
