package dev.tmax.trainer.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tmax.contracts.configuration.Recipe.Optimizer;
import dev.tmax.contracts.configuration.Recipe.Optimizer.Schedule;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LearningRateTest {

    @ParameterizedTest
    @CsvSource({
        "CONSTANT, 0, 0.25", "CONSTANT, 3, 1", "CONSTANT, 4, 1", "CONSTANT, 103, 1",
        "LINEAR, 1, 0.5", "LINEAR, 4, 1", "LINEAR, 54, 0.5", "LINEAR, 104, 0",
        "COSINE, 4, 1", "COSINE, 54, 0.5", "COSINE, 104, 0",
    })
    void followsItsScheduleAfterTheWarmUp(Schedule schedule, int step, double expected) {
        Optimizer optimizer = new Optimizer(1, schedule, 4, 0.9, 0.95, 0, 1);

        assertThat(LearningRate.at(optimizer, step, 104)).isCloseTo(expected, within(1e-12));
    }
}
