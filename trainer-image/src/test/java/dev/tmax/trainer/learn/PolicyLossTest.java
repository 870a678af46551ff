package dev.tmax.trainer.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tmax.contracts.configuration.Recipe.Dppo.Divergence;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyLossTest {

    private static final PolicyLoss DPPO = new PolicyLoss.Dppo(Divergence.TOTAL_VARIATION, 0.1);

    private static double log(double probability) {
        return Math.log(probability);
    }

    @Test
    void onTheSamePolicyTheGradientIsThatOfReinforce() {
        for (PolicyLoss loss : new PolicyLoss[] {DPPO, new PolicyLoss.Clipped(0.8, 1.2), new PolicyLoss.Cispo(2)}) {
            PolicyLoss.Token token = loss.token(log(0.3), log(0.3), 0.75);

            assertThat(token.kept()).isTrue();
            assertThat(token.coefficient()).isCloseTo(-0.75, within(1e-12));
        }
    }

    @ParameterizedTest
    @CsvSource({
        // π, μ, A, kept: dropped only where the policies are apart by more than 0.1 and the update pushes further.
        "0.50, 0.30, 1, false",
        "0.50, 0.30, -1, true",
        "0.30, 0.50, -1, false",
        "0.30, 0.50, 1, true",
        "0.39, 0.30, 1, true",
        "0.02, 0.001, 1, true",
    })
    void dppoDropsWhatPushesDistantPoliciesApart(double pi, double mu, double advantage, boolean kept) {
        PolicyLoss.Token token = DPPO.token(log(pi), log(mu), advantage);

        assertThat(token.kept()).isEqualTo(kept);
        assertThat(token.coefficient()).isCloseTo(kept ? -advantage * pi / mu : 0, within(1e-9));
    }

    @Test
    void klDivergenceIsThatOfTheTwoWayDistribution() {
        double expected = 0.3 * log(0.3 / 0.5) + 0.7 * log(0.7 / 0.5);

        assertThat(Divergences.of(Divergence.KL, log(0.5), log(0.3))).isCloseTo(expected, within(1e-12));
    }

    @Test
    void aRatioThatExplodesIsBoundedInTheGradient() {
        PolicyLoss.Token token = DPPO.token(-0.01, -20, -1);

        assertThat(token.kept()).isTrue();
        assertThat(token.coefficient()).isEqualTo(20);
        assertThat(token.loss()).isGreaterThan(1e8);
    }

    @Test
    void logRatiosAreClamped() {
        assertThat(PolicyLoss.ratio(0, -1000)).isEqualTo(Math.exp(20));
        assertThat(PolicyLoss.ratio(-1000, 0)).isEqualTo(Math.exp(-20));
    }

    @ParameterizedTest
    @CsvSource({"1.3, 1, false", "1.3, -1, true", "0.7, -1, false", "0.7, 1, true", "1.1, 1, true"})
    void clippingStopsTheGradientBeyondTheBoundInTheDirectionOfTheAdvantage(
            double ratio, double advantage, boolean kept) {
        PolicyLoss.Token token = new PolicyLoss.Clipped(0.8, 1.2).token(log(0.1 * ratio), log(0.1), advantage);

        assertThat(token.kept()).isEqualTo(kept);
        assertThat(token.coefficient()).isCloseTo(kept ? -advantage * ratio : 0, within(1e-9));
    }

    @Test
    void cispoCapsTheWeightAndKeepsTheGradient() {
        assertThat(new PolicyLoss.Cispo(2).token(log(0.9), log(0.1), 1).coefficient())
                .isCloseTo(-2, within(1e-9));
    }

    @Test
    void belowTheBoundTheCoefficientIsTheDerivativeOfTheLoss() {
        SplittableRandom random = new SplittableRandom(7);
        PolicyLoss[] losses = {DPPO, new PolicyLoss.Clipped(0.8, 1.272)};
        double h = 1e-6;
        int compared = 0;
        for (int i = 0; i < 2000; i++) {
            double logMu = -3 * random.nextDouble();
            double logPi = Math.min(-0.01, logMu + random.nextDouble(-2, 2));
            double advantage = random.nextDouble(-1, 1);
            PolicyLoss loss = losses[i % losses.length];
            PolicyLoss.Token token = loss.token(logPi, logMu, advantage);
            PolicyLoss.Token after = loss.token(logPi + h, logMu, advantage);
            if (token.kept() && after.kept()) {
                double derivative = (after.loss() - token.loss()) / h;
                assertThat(token.coefficient()).isCloseTo(derivative, within(1e-4 * Math.max(1, Math.abs(derivative))));
                compared++;
            }
        }
        assertThat(compared).isGreaterThan(500);
    }

    @Test
    void k3IsNeverNegativeZeroOnEqualPoliciesAndItsGradientIsItsDerivative() {
        SplittableRandom random = new SplittableRandom(3);
        double h = 1e-6;
        for (int i = 0; i < 1000; i++) {
            double logPi = -5 * random.nextDouble();
            double logOther = -5 * random.nextDouble();
            double derivative = (Divergences.k3(logPi + h, logOther) - Divergences.k3(logPi - h, logOther)) / (2 * h);

            assertThat(Divergences.k3(logPi, logOther)).isGreaterThanOrEqualTo(0);
            assertThat(Divergences.k3(logPi, logPi)).isZero();
            assertThat(Divergences.k3Gradient(logPi, logOther))
                    .isCloseTo(derivative, within(1e-4 * Math.max(1, Math.abs(derivative))));
        }
    }
}
