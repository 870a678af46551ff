package dev.tmax.trainer.schedule;

import java.util.SplittableRandom;

/**
 * An endless order of task indexes: every pass over the set is a permutation of its own, drawn from the seed. A function
 * of position only, so that a cursor is all the state there is.
 */
final class TaskOrder {

    private final int tasks;
    private final long seed;
    private long pass = -1;
    private int[] permutation = {};

    TaskOrder(int tasks, long seed) {
        if (tasks < 1) {
            throw new IllegalArgumentException("an order needs at least one task");
        }
        this.tasks = tasks;
        this.seed = seed;
    }

    int at(long position) {
        long wanted = position / tasks;
        if (wanted != pass) {
            permutation = permutation(wanted);
            pass = wanted;
        }
        return permutation[(int) (position % tasks)];
    }

    private int[] permutation(long number) {
        SplittableRandom random = new SplittableRandom(Seeds.mix(seed, number));
        int[] order = new int[tasks];
        for (int i = 0; i < tasks; i++) {
            int j = random.nextInt(i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        return order;
    }
}
