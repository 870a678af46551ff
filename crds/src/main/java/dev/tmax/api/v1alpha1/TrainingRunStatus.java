package dev.tmax.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.model.annotation.LabelSelector;
import io.fabric8.kubernetes.model.annotation.StatusReplicas;
import java.util.List;

/** What the operator knows of a run. Times are RFC 3339. */
public record TrainingRunStatus(
        @JsonPropertyDescription("Derived from the conditions, for people.")
        Phase phase,

        @JsonPropertyDescription("One sentence for people: what the run waits for, does or died of.")
        String message,

        @JsonPropertyDescription(
                "Ready, TrainerReady, GeneratorsReady, SandboxesReady, Suspended, Degraded, Complete, Failed.")
        List<Condition> conditions,

        @JsonPropertyDescription("Generation of the spec that the rest of the status speaks of.")
        Long observedGeneration,

        @JsonPropertyDescription("Optimizer steps done.") Integer step,

        @JsonPropertyDescription("Version of the newest published weights.")
        Long policyVersion,

        @JsonPropertyDescription("How far it is.") Progress progress,

        @JsonPropertyDescription("Rewards of training steps and of held-out tasks.")
        Reward reward,

        @JsonPropertyDescription("Generator pods.") Generators generators,
        @JsonPropertyDescription("Sandbox pods.") Sandboxes sandboxes,

        @JsonPropertyDescription("Name of the newest Checkpoint.")
        String lastCheckpoint,

        @JsonPropertyDescription("PersistentVolumeClaim that holds the checkpoints.")
        String checkpointClaim,

        @JsonPropertyDescription("Starts of the trainer, the last 10, oldest first.")
        List<Attempt> attempts,

        @JsonPropertyDescription("Trainer crashes since the last progress, counted against backoffLimit.")
        Integer failures,

        @JsonPropertyDescription("Highest step ever reached: what lies beyond it is progress.")
        Integer furthestStep,

        @JsonPropertyDescription("First start of the trainer.")
        String startTime,

        @JsonPropertyDescription("End of the run.") String completionTime) {

    /** Derived from the conditions, never the source of a decision. */
    public enum Phase {
        @JsonProperty("Pending")
        PENDING,
        @JsonProperty("Admitted")
        ADMITTED,
        @JsonProperty("Starting")
        STARTING,
        @JsonProperty("Running")
        RUNNING,
        @JsonProperty("Suspending")
        SUSPENDING,
        @JsonProperty("Suspended")
        SUSPENDED,
        @JsonProperty("Succeeded")
        SUCCEEDED,
        @JsonProperty("Failed")
        FAILED
    }

    /** How far the run is. */
    public record Progress(
            @JsonPropertyDescription("Of the wanted steps, 0 to 100.")
            Integer percent,

            @JsonPropertyDescription("Seconds to the end; absent while unknown.")
            Long etaSeconds) {}

    /** Mean rewards, as decimal strings. */
    public record Reward(
            @JsonPropertyDescription("Of the newest step.") String mean,

            @JsonPropertyDescription("On held-out tasks before the first step.")
            String heldOutBefore,

            @JsonPropertyDescription("On held-out tasks after the last step.")
            String heldOutAfter) {}

    /** Generator pods. */
    public record Generators(
            @JsonPropertyDescription("Pods that exist.") @StatusReplicas
            Integer replicas,

            @JsonPropertyDescription("Pods that are ready.") Integer ready,

            @JsonPropertyDescription("Generators that have the newest published weights.")
            Integer current,

            @JsonPropertyDescription("Label selector of the pods.") @LabelSelector
            String selector) {}

    /** Sandbox pods. */
    public record Sandboxes(
            @JsonPropertyDescription("Pods that are not ready yet.")
            Integer warming,

            @JsonPropertyDescription("Pods that are ready.") Integer ready,

            @JsonPropertyDescription("Pods that host attempts now.")
            Integer leased,

            @JsonPropertyDescription("Attempts since the start.")
            Long cells) {}

    /** One start of the trainer. */
    public record Attempt(
            @JsonPropertyDescription("When its container started.")
            String startTime,

            @JsonPropertyDescription("When it ended; absent while it runs.")
            String endTime,

            @JsonPropertyDescription("Why it ended, for example Evicted, OOMKilled, Error.")
            String reason) {}
}
