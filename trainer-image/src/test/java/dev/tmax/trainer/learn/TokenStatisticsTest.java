package dev.tmax.trainer.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tmax.contracts.configuration.Guardrails;
import org.junit.jupiter.api.Test;

class TokenStatisticsTest {

    private static final PolicyLoss.Token KEPT = new PolicyLoss.Token(0.5, -1, true);
    private static final PolicyLoss.Token DROPPED = new PolicyLoss.Token(0, 0, false);

    @Test
    void meansCountEveryTokenAndFreshOnesApart() {
        TokenStatistics statistics = new TokenStatistics(5);
        statistics.add(-1.0, -1.1, 2, 5, KEPT);
        statistics.add(-1.0, -1.5, 4, 3, DROPPED);

        LearnStatistics result = statistics.result();

        assertThat(result.tokens()).isEqualTo(2);
        assertThat(result.loss()).isEqualTo(0.25);
        assertThat(result.logProbDifference().mean()).isCloseTo(0.3, within(1e-6));
        assertThat(result.logProbDifference().max()).isCloseTo(0.5, within(1e-6));
        assertThat(result.fresh().tokens()).isEqualTo(1);
        assertThat(result.fresh().mean()).isCloseTo(0.1, within(1e-6));
        assertThat(result.droppedFraction()).isEqualTo(0.5);
        assertThat(result.entropy()).isEqualTo(3);
        assertThat(result.stalenessMean()).isEqualTo(1);
        assertThat(result.stalenessMax()).isEqualTo(2);
        assertThat(result.ratioMax()).isCloseTo(Math.exp(0.5), within(1e-9));
    }

    @Test
    void theMaximumIsTheTrueOneAndP99IsNearIt() {
        TokenStatistics statistics = new TokenStatistics(0);
        for (int i = 0; i < 10_000; i++) {
            statistics.add(-1, -1 - i / 10_000.0, 1, 0, KEPT);
        }

        LearnStatistics.Difference difference = statistics.result().logProbDifference();

        assertThat(difference.max()).isCloseTo(0.9999, within(1e-6));
        assertThat(difference.p99()).isCloseTo(0.99, within(1e-3));
    }

    @Test
    void noticesWhatIsNoNumber() {
        TokenStatistics statistics = new TokenStatistics(0);
        statistics.add(Double.NaN, -1, 1, 0, KEPT);

        assertThat(statistics.finite()).isFalse();
    }

    @Test
    void guardrailsNameSignalValueAndBound() {
        TokenStatistics statistics = new TokenStatistics(1);
        statistics.add(-1.0, -1.5, 0.02, 1, KEPT);
        LearnStatistics result = statistics.result();

        assertThat(Guardrail.check(Guardrails.NONE, result)).isEmpty();
        assertThat(Guardrail.check(new Guardrails(0.1, null, Guardrails.Action.PAUSE), result))
                .hasValueSatisfying(found -> assertThat(found.signal()).isEqualTo("maxLogProbDifference"));
        assertThat(Guardrail.check(new Guardrails(null, 0.05, Guardrails.Action.PAUSE), result))
                .hasValueSatisfying(found -> assertThat(found.toString()).contains("minEntropy", "0.02", "0.05"));
    }

    @Test
    void anOldTokenIsNoMismatchOfTrainerAndGenerator() {
        TokenStatistics statistics = new TokenStatistics(2);
        statistics.add(-1.0, -3, 1, 1, KEPT);

        assertThat(Guardrail.check(new Guardrails(0.1, null, Guardrails.Action.PAUSE), statistics.result()))
                .isEmpty();
    }
}
