package dev.tmax.trainer.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RolloutTallyTest {

    @Test
    void theRewardOfAStepCountsGroupsWithoutSignalToo() {
        RolloutTally tally = new RolloutTally();
        tally.trained(Attempts.group(0, 1, 0));
        tally.filtered(Attempts.group(1, 0, 0));
        tally.filtered(Attempts.group(2, 1, 1));
        tally.filtered(Attempts.group(3, 0, 0));

        RolloutStatistics result = tally.result();

        assertThat(result.reward()).isEqualTo(3.0 / 8);
        assertThat(result.trainedReward()).isEqualTo(0.5);
        assertThat(result.trained()).isEqualTo(1);
        assertThat(result.filteredAllZero()).isEqualTo(2);
        assertThat(result.filteredAllOne()).isEqualTo(1);
        assertThat(result.solveRates()).containsExactly(2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
        assertThat(result.tokens()).isEqualTo(24);
        assertThat(result.lengthMean()).isEqualTo(3);
    }
}
