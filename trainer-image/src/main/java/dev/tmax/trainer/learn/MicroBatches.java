package dev.tmax.trainer.learn;

import dev.tmax.model.train.MicroBatch;
import dev.tmax.trainer.buffer.CompleteGroup;
import dev.tmax.trainer.buffer.Trajectory;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a group into rows of bounded length. Sums are accumulated over rows and divided once, so cuts do not change the
 * result; a row computes the prompt once for all its trajectories.
 */
final class MicroBatches {

    /** Tokens of a row, prompt included; a single trajectory may be longer. */
    static final int ROW_TOKENS = 8_192;

    /** One row: trajectories that share a prompt. */
    record Row(MicroBatch batch, List<Trajectory> trajectories, double[] advantages) {}

    private MicroBatches() {}

    static List<Row> of(CompleteGroup group, double[] advantages, int rowTokens) {
        List<Row> rows = new ArrayList<>();
        List<Integer> chosen = new ArrayList<>();
        int tokens = 0;
        List<Trajectory> all = group.trajectories();
        for (int i = 0; i < all.size(); i++) {
            int length = all.get(i).sample().tokens().length;
            int prompt = all.get(i).prompt().length;
            if (!chosen.isEmpty() && prompt + tokens + length > rowTokens) {
                rows.add(row(all, advantages, chosen));
                chosen = new ArrayList<>();
                tokens = 0;
            }
            chosen.add(i);
            tokens += length;
        }
        rows.add(row(all, advantages, chosen));
        return rows;
    }

    private static Row row(List<Trajectory> all, double[] advantages, List<Integer> chosen) {
        List<Trajectory> trajectories = chosen.stream().map(all::get).toList();
        return new Row(
                new MicroBatch(
                        trajectories.getFirst().prompt(),
                        trajectories.stream().map(Trajectory::sample).toList()),
                trajectories,
                chosen.stream().mapToDouble(i -> advantages[i]).toArray());
    }
}
