package dev.tmax.contracts.configuration;

import static dev.tmax.contracts.configuration.Check.require;
import static dev.tmax.contracts.configuration.Check.requirePositive;

import java.util.List;

/**
 * The training algorithm and its numbers.
 *
 * @param steps optimizer steps of the whole run
 * @param promptsPerStep groups in the batch of one step
 * @param groupSize attempts at each task
 * @param asyncSteps how many policy versions a token may be older than the learner; 0 is synchronous
 * @param activeSampling groups whose rewards are all equal do not count towards promptsPerStep
 * @param klCoefficient weight of the K3 estimate against the reference model; 0 for none
 */
public record Recipe(
        Algorithm algorithm,
        int steps,
        int promptsPerStep,
        int groupSize,
        int asyncSteps,
        Advantage advantage,
        boolean activeSampling,
        Dppo dppo,
        double klCoefficient,
        Optimizer optimizer,
        Precision precision,
        Sampling sampling,
        long seed) {

    public Recipe {
        require(algorithm != null, "recipe.algorithm", null, "choose one of " + List.of(Algorithm.values()));
        requirePositive(steps, "recipe.steps");
        requirePositive(promptsPerStep, "recipe.promptsPerStep");
        require(
                groupSize >= 2 || algorithm == Algorithm.SFT,
                "recipe.groupSize",
                groupSize,
                "the advantage compares attempts of a group: use at least 2");
        require(asyncSteps >= 0, "recipe.asyncSteps", asyncSteps, "use 0 for synchronous training, or more");
        advantage = advantage == null ? Advantage.CENTERED : advantage;
        dppo = dppo == null ? Dppo.DEFAULT : dppo;
        require(
                klCoefficient >= 0 && Double.isFinite(klCoefficient),
                "recipe.klCoefficient",
                klCoefficient,
                "use 0 for none, or a positive number");
        require(optimizer != null, "recipe.optimizer", null, "give at least a learningRate");
        precision = precision == null ? Precision.DEFAULT : precision;
        sampling = sampling == null ? Sampling.DEFAULT : sampling;
    }

    /** Loss of the policy: {@code DPPO} is the recipe's. */
    public enum Algorithm {
        DPPO,
        GRPO,
        DAPO,
        CISPO,
        SFT
    }

    /** How rewards of a group become advantages. */
    public enum Advantage {
        /** R − mean(R), the recipe's. */
        CENTERED,
        /** (R − mean(R)) / (std(R) + 1e-8). */
        STANDARDIZED,
        /** (R − mean(R)) / mean(R), 0 where the mean is 0. */
        MAX_RL
    }

    /** Divergence between trainer and generator that decides which tokens are dropped, and its bound. */
    public record Dppo(Divergence divergence, double threshold) {

        public static final Dppo DEFAULT = new Dppo(Divergence.TOTAL_VARIATION, 0.1);

        public Dppo {
            divergence = divergence == null ? Divergence.TOTAL_VARIATION : divergence;
            require(threshold > 0, "recipe.dppo.threshold", threshold, "give a number above 0, for example 0.1");
        }

        /** Of the two-way distribution {sampled token, any other}. */
        public enum Divergence {
            TOTAL_VARIATION,
            KL
        }
    }

    /** AdamW and its schedule. */
    public record Optimizer(
            double learningRate,
            Schedule schedule,
            int warmupSteps,
            double beta1,
            double beta2,
            double weightDecay,
            double maxGradNorm) {

        public Optimizer {
            require(
                    learningRate > 0 && Double.isFinite(learningRate),
                    "recipe.optimizer.learningRate",
                    learningRate,
                    "give a positive number, for example 1e-6");
            schedule = schedule == null ? Schedule.CONSTANT : schedule;
            require(warmupSteps >= 0, "recipe.optimizer.warmupSteps", warmupSteps, "use 0 or more");
            require(beta1 >= 0 && beta1 < 1, "recipe.optimizer.betas[0]", beta1, "use a number in [0, 1)");
            require(beta2 >= 0 && beta2 < 1, "recipe.optimizer.betas[1]", beta2, "use a number in [0, 1)");
            require(weightDecay >= 0, "recipe.optimizer.weightDecay", weightDecay, "use 0 or more");
            require(maxGradNorm > 0, "recipe.optimizer.maxGradNorm", maxGradNorm, "give a number above 0");
        }

        /** Learning rate over steps, after the warm-up. */
        public enum Schedule {
            CONSTANT,
            LINEAR,
            COSINE
        }
    }

    /** Number formats: FP32 or BF16. */
    public record Precision(Format lmHead, Format compute) {

        public static final Precision DEFAULT = new Precision(Format.FP32, Format.BF16);

        public Precision {
            lmHead = lmHead == null ? Format.FP32 : lmHead;
            compute = compute == null ? Format.BF16 : compute;
        }

        /** A floating point format. */
        public enum Format {
            FP32,
            BF16
        }
    }

    /** The distribution that training samples from. It must be the whole one, or the recorded probability would belong to another. */
    public record Sampling(double temperature, double topP) {

        public static final Sampling DEFAULT = new Sampling(1.0, 1.0);

        public Sampling {
            require(temperature > 0, "recipe.sampling.temperature", temperature, "give a number above 0");
            require(
                    topP == 1.0,
                    "recipe.sampling.topP",
                    topP,
                    "train with 1.0: cut distributions make the recorded probability another than the learner's");
        }
    }
}
