package dev.tmax.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;

/** What a person asks of a run. */
public record TrainingRunSpec(
        @Required
        @JsonPropertyDescription("The model to start from and the lengths of an episode. Immutable.")
        @ValidationRule(
                value = "self == oldSelf",
                message = "model is immutable; make a new TrainingRun for another model or other lengths")
        ModelSpec model,

        @Required
        @JsonPropertyDescription("The tasks to train on. Immutable.")
        @ValidationRule(
                value = "self == oldSelf",
                message = "tasks is immutable; make a new TrainingRun for other tasks")
        TasksSpec tasks,

        @JsonPropertyDescription(
                "Tasks that are measured before the first and after the last step, and never trained on.")
        EvaluationSpec evaluation,

        @Required @JsonPropertyDescription("The training algorithm and its numbers.")
        RecipeSpec recipe,

        @Default("{}") @JsonPropertyDescription("The agent loop: think, run one command, observe.")
        AgentSpec agent,

        @Default("{}") @JsonPropertyDescription("The trainer pod.")
        TrainerSpec trainer,

        @Default("{}") @JsonPropertyDescription("The generator pods.")
        GeneratorsSpec generators,

        @Default("{}")
        @JsonPropertyDescription("The sandbox pods.")
        @ValidationRule(
                value = "!has(self.retireAfterAttempts) || !has(self.attemptsPerPod)"
                        + " || self.retireAfterAttempts >= self.attemptsPerPod",
                message = "sandboxes.retireAfterAttempts is smaller than attemptsPerPod: a pod would go before it is"
                        + " full; use at least attemptsPerPod")
        SandboxesSpec sandboxes,

        @Default("{}") @JsonPropertyDescription("How weights go from the trainer to the generators.")
        WeightSyncSpec weightSync,

        @Default("{}") @JsonPropertyDescription("Snapshots of the run.")
        CheckpointsSpec checkpoints,

        @JsonPropertyDescription("What stops a run that goes wrong.")
        GuardrailsSpec guardrails,

        @Default("false")
        @JsonPropertyDescription("Take a checkpoint and give all pods back; false goes on at the same step.")
        Boolean suspend,

        @Default("6")
        @Min(0)
        @JsonPropertyDescription(
                "Trainer crashes without progress between them before the run fails. Evictions do not count.")
        Integer backoffLimit,

        @Min(1) @JsonPropertyDescription("Seconds after the first start when the run fails. Time suspended counts.")
        Long activeDeadlineSeconds,

        @Min(0) @JsonPropertyDescription("Seconds after its end when the run is deleted. Absent: never.")
        Integer ttlSecondsAfterFinished) {}
