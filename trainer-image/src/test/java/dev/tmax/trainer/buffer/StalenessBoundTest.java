package dev.tmax.trainer.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class StalenessBoundTest {

    @Test
    void inSynchronousTrainingOnlyTheLearnersOwnWeightsAreGoodEnough() {
        StalenessBound bound = new StalenessBound(0, 2);

        assertThat(bound.maxOutstanding()).isEqualTo(2);
        assertThat(bound.admits(List.of(), 4, 4)).isTrue();
        assertThat(bound.admits(List.of(), 3, 4)).isFalse();
        assertThat(bound.admits(List.of(4L, 4L), 4, 4)).isFalse();
    }

    @Test
    void atMostAStepsGroupsMayBeDueAtOneVersion() {
        StalenessBound bound = new StalenessBound(2, 2);

        assertThat(bound.feasible(List.of(5L, 5L), 5)).isTrue();
        assertThat(bound.feasible(List.of(5L, 5L, 5L), 5)).isFalse();
        assertThat(bound.feasible(List.of(5L, 5L, 6L, 6L, 7L, 7L), 5)).isTrue();
        assertThat(bound.feasible(List.of(5L, 5L, 6L, 6L, 6L), 5)).isFalse();
        assertThat(bound.feasible(List.of(4L), 5)).isFalse();
    }

    @Test
    void theNewestWeightsAreAlwaysAdmittedWithinTheBoundOfOutstandingGroups() {
        StalenessBound bound = new StalenessBound(3, 4);
        List<Long> deadlines = new ArrayList<>();
        for (int i = 0; i < bound.maxOutstanding(); i++) {
            assertThat(bound.admits(deadlines, 10, 10)).isTrue();
            deadlines.add(bound.deadline(10));
        }
    }

    /** Groups finish in any order and generators lag; no trained group is ever too old, and the run never stalls. */
    @Test
    void whateverFinishesFirstNothingTrainedIsEverTooOld() {
        SplittableRandom random = new SplittableRandom(11);
        for (int trial = 0; trial < 200; trial++) {
            int asyncSteps = random.nextInt(4);
            StalenessBound bound = new StalenessBound(asyncSteps, 1 + random.nextInt(4));
            List<long[]> outstanding = new ArrayList<>(); // {deadline, finished}
            long learner = 0;
            for (int event = 0; event < 400 && learner < 30; event++) {
                long generator = Math.max(0, learner - random.nextInt(2) * Math.min(1, asyncSteps));
                List<Long> deadlines =
                        outstanding.stream().map(group -> group[0]).toList();
                if (outstanding.size() < bound.maxOutstanding() && bound.admits(deadlines, generator, learner)) {
                    outstanding.add(new long[] {bound.deadline(generator), 0});
                }
                outstanding.get(random.nextInt(outstanding.size()))[1] = 1;
                List<long[]> chosen = outstanding.stream()
                        .filter(group -> group[1] == 1)
                        .sorted(Comparator.comparingLong(group -> group[0]))
                        .limit(bound.groupsPerStep())
                        .toList();
                List<Long> others = outstanding.stream()
                        .filter(group -> !chosen.contains(group))
                        .map(group -> group[0])
                        .toList();
                if (chosen.size() == bound.groupsPerStep() && bound.feasible(others, learner + 1)) {
                    for (long[] group : chosen) {
                        assertThat(learner).isLessThanOrEqualTo(group[0]);
                    }
                    outstanding.removeAll(chosen);
                    learner++;
                }
            }
            assertThat(learner).isEqualTo(30);
        }
    }
}
