package dev.tmax.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;

/** The training algorithm and its numbers. Immutable apart from steps. */
@ValidationRule(
        value = "self.groupSize >= 2 || self.algorithm == 'SFT'",
        messageExpression =
                "'groupSize: 1 is not usable with ' + self.algorithm + '; the advantage compares attempts of a group: use at least 2'",
        fieldPath = ".groupSize")
@ValidationRule(
        value = "has(self.dppo) == has(oldSelf.dppo)",
        message = "dppo is immutable; make a new TrainingRun to train otherwise")
public record RecipeSpec(
        @Default("DPPO")
        @JsonPropertyDescription("Loss of the policy.")
        @ValidationRule(
                value = "self == oldSelf",
                messageExpression =
                        "'algorithm is immutable: it is ' + oldSelf + '; make a new TrainingRun to train otherwise'")
        Algorithm algorithm,

        @Required
        @Min(1)
        @JsonPropertyDescription("Optimizer steps of the whole run. May grow.")
        @ValidationRule(
                value = "self >= oldSelf",
                message = "steps may only grow; write at least the number of steps that the run had")
        Integer steps,

        @Default("8")
        @Min(1)
        @JsonPropertyDescription("Groups in the batch of one step.")
        @ValidationRule(
                value = "self == oldSelf",
                message = "promptsPerStep is immutable; make a new TrainingRun to train otherwise")
        Integer promptsPerStep,

        @Default("32")
        @Min(1)
        @JsonPropertyDescription("Attempts at each task.")
        @ValidationRule(
                value = "self == oldSelf",
                message = "groupSize is immutable; make a new TrainingRun to train otherwise")
        Integer groupSize,

        @Default("4")
        @Min(0)
        @JsonPropertyDescription("Policy versions that a token may be older than the learner; 0 is synchronous.")
        @ValidationRule(
                value = "self == oldSelf",
                message = "asyncSteps is immutable; make a new TrainingRun to train otherwise")
        Integer asyncSteps,

        @Default("Centered")
        @JsonPropertyDescription("How rewards of a group become advantages.")
        @ValidationRule(
                value = "self == oldSelf",
                messageExpression =
                        "'advantage is immutable: it is ' + oldSelf + '; make a new TrainingRun to train otherwise'")
        Advantage advantage,

        @Default("true")
        @JsonPropertyDescription("Groups whose rewards are all equal do not count towards promptsPerStep.")
        @ValidationRule(
                value = "self == oldSelf",
                message = "activeSampling is immutable; make a new TrainingRun to train otherwise")
        Boolean activeSampling,

        @JsonPropertyDescription("Which tokens DPPO drops.")
        @ValidationRule(
                value = "self == oldSelf",
                message = "dppo is immutable; make a new TrainingRun to train otherwise")
        Dppo dppo,

        @Default("0")
        @Size(max = 32)
        @JsonPropertyDescription("Weight of the KL estimate against the reference model; 0 for none.")
        @ValidationRule(
                value = Numbers.NOT_NEGATIVE,
                messageExpression =
                        "'klCoefficient: ' + self + ' is not usable; write 0 for none, or a positive number'")
        @ValidationRule(
                value = "self == oldSelf",
                messageExpression =
                        "'klCoefficient is immutable: it is ' + oldSelf + '; make a new TrainingRun to train otherwise'")
        String klCoefficient,

        @Required
        @JsonPropertyDescription("AdamW and its schedule.")
        @ValidationRule(
                value = "self == oldSelf",
                message = "optimizer is immutable; make a new TrainingRun to train otherwise")
        Optimizer optimizer,

        @Default("{}")
        @JsonPropertyDescription("Number formats.")
        @ValidationRule(
                value = "self == oldSelf",
                message = "precision is immutable; make a new TrainingRun to train otherwise")
        Precision precision,

        @Default("{}")
        @JsonPropertyDescription("The distribution that training samples from.")
        @ValidationRule(
                value = "self == oldSelf",
                message = "sampling is immutable; make a new TrainingRun to train otherwise")
        Sampling sampling,

        @Default("1")
        @JsonPropertyDescription("Seed of everything random.")
        @ValidationRule(
                value = "self == oldSelf",
                message = "seed is immutable; make a new TrainingRun to train otherwise")
        Long seed) {

    /** Loss of the policy. */
    public enum Algorithm {
        DPPO,
        GRPO,
        DAPO,
        CISPO,
        SFT
    }

    /** How rewards of a group become advantages. */
    public enum Advantage {
        @JsonProperty("Centered")
        CENTERED,
        @JsonProperty("Standardized")
        STANDARDIZED,
        @JsonProperty("MaxRL")
        MAX_RL
    }

    /** Which tokens DPPO drops: those whose divergence is above the threshold. */
    public record Dppo(
            @Default("TotalVariation")
            @JsonPropertyDescription("Of the two-way distribution: sampled token, any other.")
            Divergence divergence,

            @Default("0.1")
            @Size(max = 32)
            @JsonPropertyDescription("Largest divergence that is kept.")
            @ValidationRule(
                    value = Numbers.POSITIVE,
                    messageExpression = "'threshold: ' + self + ' is not usable; write a positive number such as 0.1'")
            String threshold) {

        /** Divergence between trainer and generator. */
        public enum Divergence {
            @JsonProperty("TotalVariation")
            TOTAL_VARIATION,
            KL
        }
    }

    /** AdamW and its schedule. */
    public record Optimizer(
            @Required
            @Size(max = 32)
            @JsonPropertyDescription("After the warm-up, for example 1e-6.")
            @ValidationRule(
                    value = Numbers.POSITIVE,
                    messageExpression =
                            "'learningRate: ' + self + ' is not usable; write a positive number such as 1e-6'")
            String learningRate,

            @Default("Constant") @JsonPropertyDescription("Learning rate over steps, after the warm-up.")
            Schedule schedule,

            @Default("0") @Min(0) @JsonPropertyDescription("Steps until the full learning rate.")
            Integer warmupSteps,

            @Size(min = 2, max = 2)
            @Default("[\"0.9\",\"0.95\"]")
            @JsonPropertyDescription("Decay of the first and second moment, each in [0, 1).")
            @ValidationRule(
                    value = "self.all(b, b.matches('^0(\\\\.[0-9]+)?$'))",
                    messageExpression =
                            "'betas: ' + self.join(', ') + ' is not usable; write two numbers in [0, 1) such as 0.9 and 0.95'")
            List<String> betas,

            @Default("0")
            @Size(max = 32)
            @JsonPropertyDescription("Weight decay, decoupled.")
            @ValidationRule(
                    value = Numbers.NOT_NEGATIVE,
                    messageExpression =
                            "'weightDecay: ' + self + ' is not usable; write 0 for none, or a positive number'")
            String weightDecay,

            @Default("1.0")
            @Size(max = 32)
            @JsonPropertyDescription("Global norm at which gradients are clipped.")
            @ValidationRule(
                    value = Numbers.POSITIVE,
                    messageExpression =
                            "'maxGradNorm: ' + self + ' is not usable; write a positive number such as 1.0'")
            String maxGradNorm) {

        /** Learning rate over steps, after the warm-up. */
        public enum Schedule {
            @JsonProperty("Constant")
            CONSTANT,
            @JsonProperty("Linear")
            LINEAR,
            @JsonProperty("Cosine")
            COSINE
        }
    }

    /** Number formats of the head and of everything else. */
    public record Precision(
            @Default("FP32") @JsonPropertyDescription("Head of the language model.")
            Format lmHead,

            @Default("BF16") @JsonPropertyDescription("Everything else.")
            Format compute) {

        /** A floating point format. */
        public enum Format {
            FP32,
            BF16
        }
    }

    /** The distribution that training samples from. */
    public record Sampling(
            @Default("1.0")
            @Size(max = 32)
            @JsonPropertyDescription("Divides the logits, in sampling and in learning.")
            @ValidationRule(
                    value = Numbers.POSITIVE,
                    messageExpression =
                            "'temperature: ' + self + ' is not usable; write a positive number such as 1.0'")
            String temperature,

            @Default("1.0")
            @Size(max = 32)
            @JsonPropertyDescription("Must be 1: training samples the whole distribution.")
            @ValidationRule(
                    value = "self.matches('^1(\\\\.0*)?$')",
                    messageExpression =
                            "'topP: ' + self + ' is not usable; train with 1.0: cut distributions make the recorded probability another than the learner has'")
            String topP) {}
}
