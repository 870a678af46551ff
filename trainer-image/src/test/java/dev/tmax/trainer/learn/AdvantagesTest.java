package dev.tmax.trainer.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tmax.contracts.configuration.Recipe.Advantage;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class AdvantagesTest {

    private static final double[] REWARDS = {1, 0, 0, 0};

    @Test
    void centeredIsTheDistanceFromTheMean() {
        assertThat(Advantages.of(Advantage.CENTERED, REWARDS)).containsExactly(0.75, -0.25, -0.25, -0.25);
    }

    @Test
    void standardizedHasUnitDeviation() {
        double[] advantages = Advantages.of(Advantage.STANDARDIZED, REWARDS);

        double square = Arrays.stream(advantages).map(a -> a * a).average().orElseThrow();
        assertThat(square).isCloseTo(1, within(1e-6));
        assertThat(advantages[0]).isCloseTo(0.75 / Math.sqrt(0.1875), within(1e-6));
    }

    @Test
    void maxRlDividesByTheSolveRate() {
        assertThat(Advantages.of(Advantage.MAX_RL, REWARDS)).containsExactly(3, -1, -1, -1);
    }

    @Test
    void maxRlSaysNothingOfATaskThatWasNeverSolved() {
        assertThat(Advantages.of(Advantage.MAX_RL, new double[] {0, 0})).containsExactly(0, 0);
    }
}
