package dev.tmax.trainer.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tmax.contracts.configuration.Recipe;
import dev.tmax.contracts.configuration.Recipe.Algorithm;
import dev.tmax.contracts.rollout.Truncation;
import dev.tmax.model.Architecture;
import dev.tmax.model.ModelFolder;
import dev.tmax.model.Precision;
import dev.tmax.model.random.RandomModel;
import dev.tmax.model.train.AdamW;
import dev.tmax.model.train.ForwardResult;
import dev.tmax.model.train.MicroBatch;
import dev.tmax.model.train.Sample;
import dev.tmax.model.train.TrainingEngine;
import dev.tmax.model.train.TrainingOptions;
import dev.tmax.trainer.buffer.CompleteGroup;
import dev.tmax.trainer.buffer.Trajectory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Steps of a real, tiny model. */
class LearnerTest {

    @TempDir
    private static Path folder;

    private static ModelFolder model;

    @BeforeAll
    static void makeModel() {
        model = new RandomModel(Architecture.LLAMA, 32, 2, 2, 64, 300, 256, 1).write(folder);
    }

    private static TrainingEngine engine() {
        return TrainingEngine.open(model, new TrainingOptions(Precision.FP32, true, 1, AdamW.recipe(), 1));
    }

    private static Recipe recipe(Algorithm algorithm, double klCoefficient) {
        return new Recipe(
                algorithm,
                10,
                2,
                4,
                0,
                null,
                true,
                null,
                klCoefficient,
                new Recipe.Optimizer(1e-3, null, 0, 0.9, 0.95, 0, 100),
                null,
                null,
                1);
    }

    /** A group of four attempts of different lengths, sampled by the engine's own policy as far as μ says. */
    private static CompleteGroup group(TrainingEngine engine, long number, double... rewards) {
        SplittableRandom random = new SplittableRandom(number);
        int[] prompt = {5, 6, 7, (int) number + 8};
        List<Sample> samples = new ArrayList<>();
        for (int i = 0; i < rewards.length; i++) {
            int length = 3 + 5 * i;
            int[] tokens = random.ints(length, 0, 290).toArray();
            boolean[] generated = new boolean[length];
            Arrays.fill(generated, true);
            // One observation in the middle, which is not trained.
            generated[1] = false;
            samples.add(new Sample(tokens, generated));
        }
        MicroBatch batch = new MicroBatch(prompt, samples);
        float[] logs;
        try (ForwardResult result = engine.evaluate(batch)) {
            logs = result.logProbabilities();
        }
        List<Trajectory> trajectories = new ArrayList<>();
        for (int i = 0; i < rewards.length; i++) {
            int count = samples.get(i).generatedTokens();
            trajectories.add(new Trajectory(
                    i,
                    prompt,
                    samples.get(i),
                    Arrays.copyOfRange(logs, batch.offset(i), batch.offset(i) + count),
                    new long[count],
                    rewards[i],
                    Truncation.NONE,
                    new Trajectory.Effort(1, 1, 0, 0, 0, 0)));
        }
        return new CompleteGroup(number, "task", trajectories);
    }

    private static StepResult.Applied step(TrainingEngine engine, Recipe recipe, int rowTokens, double... rewards) {
        Learner learner = new Learner(recipe, engine, Optional.empty(), rowTokens);
        List<CompleteGroup> groups = List.of(group(engine, 1, rewards), group(engine, 2, rewards));
        return (StepResult.Applied) learner.step(groups, engine.version(), 0);
    }

    @Test
    void theCutIntoRowsChangesNothing() {
        try (TrainingEngine whole = engine();
                TrainingEngine cut = engine()) {
            StepResult.Applied one = step(whole, recipe(Algorithm.DPPO, 0), 10_000, 1, 0, 0, 1);
            StepResult.Applied many = step(cut, recipe(Algorithm.DPPO, 0), 1, 1, 0, 0, 1);

            assertThat(many.gradientNorm()).isCloseTo(one.gradientNorm(), within(1e-5 * one.gradientNorm()));
            assertThat(many.statistics().tokens()).isEqualTo(one.statistics().tokens());
            assertThat(many.statistics().entropy()).isCloseTo(one.statistics().entropy(), within(1e-5));
        }
    }

    @Test
    void onTheGeneratorsOwnWeightsThereIsNoDifferenceAndEveryRatioIsOne() {
        try (TrainingEngine engine = engine()) {
            LearnStatistics statistics =
                    step(engine, recipe(Algorithm.DPPO, 0), 10_000, 1, 0, 0, 1).statistics();

            assertThat(statistics.logProbDifference().max()).isLessThan(1e-5);
            assertThat(statistics.ratioMean()).isCloseTo(1, within(1e-5));
            assertThat(statistics.droppedFraction()).isZero();
            assertThat(statistics.tokens()).isEqualTo(2 * (2 + 7 + 12 + 17));
        }
    }

    @Test
    void whatWasRewardedBecomesLikelierAndWhatWasNotLessLikely() {
        for (Algorithm algorithm : List.of(Algorithm.DPPO, Algorithm.GRPO, Algorithm.DAPO, Algorithm.CISPO)) {
            try (TrainingEngine engine = engine()) {
                CompleteGroup group = group(engine, 1, 1, 0, 0, 0);
                new Learner(recipe(algorithm, 0), engine, Optional.empty()).step(List.of(group), 0, 0);

                assertThat(change(engine, group.trajectories().get(0))).isPositive();
                assertThat(change(engine, group.trajectories().get(3))).isNegative();
            }
        }
    }

    private static double change(TrainingEngine engine, Trajectory trajectory) {
        try (ForwardResult result =
                engine.evaluate(new MicroBatch(trajectory.prompt(), List.of(trajectory.sample())))) {
            double sum = 0;
            for (int i = 0; i < trajectory.generatedTokens(); i++) {
                sum += result.logProbabilities()[i] - trajectory.logProbabilities()[i];
            }
            return sum;
        }
    }

    @Test
    void theKlTermPullsBackToTheReferenceAndDoesNothingOnIt() {
        try (TrainingEngine engine = engine();
                TrainingEngine reference = engine()) {
            Learner learner = new Learner(recipe(Algorithm.DPPO, 0.5), engine, Optional.of(reference));
            // Equal rewards: the KL term alone is at work.
            List<CompleteGroup> even = List.of(group(engine, 1, 1, 1, 1, 1));
            StepResult.Applied atReference = (StepResult.Applied) learner.step(even, 0, 0);
            assertThat(atReference.gradientNorm()).isLessThan(1e-4);

            step(engine, recipe(Algorithm.DPPO, 0), 10_000, 1, 0, 0, 0);
            StepResult.Applied away = (StepResult.Applied) learner.step(even, 1, 0);
            assertThat(away.gradientNorm()).isGreaterThan(100 * atReference.gradientNorm());
        }
    }
}
