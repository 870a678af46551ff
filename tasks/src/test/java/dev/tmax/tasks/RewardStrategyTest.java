package dev.tmax.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class RewardStrategyTest {
    private static final OptionalDouble NONE = OptionalDouble.empty();

    private static OptionalDouble reward(double value) {
        return OptionalDouble.of(value);
    }

    @Test
    void theMeanLeavesOutStepsWithoutAReward() {
        assertThat(RewardStrategy.MEAN.combine(List.of(reward(1), NONE, reward(0.5))))
                .hasValue(0.75);
        assertThat(RewardStrategy.MEAN.combine(List.of(NONE))).isEmpty();
        assertThat(RewardStrategy.MEAN.combine(List.of())).isEmpty();
    }

    @Test
    void finalIsTheLastStepThatWasBegun() {
        assertThat(RewardStrategy.FINAL.combine(List.of(reward(1), reward(0)))).hasValue(0);
        assertThat(RewardStrategy.FINAL.combine(List.of(reward(1), NONE))).isEmpty();
        assertThat(RewardStrategy.FINAL.combine(List.of())).isEmpty();
    }
}
