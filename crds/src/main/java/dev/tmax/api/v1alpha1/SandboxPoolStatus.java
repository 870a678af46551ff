package dev.tmax.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;

/** The sandbox pods of a pool. */
public record SandboxPoolStatus(
        @JsonPropertyDescription(
                "Ready: every wanted pod is ready. Degraded: pods that cannot be made, with the reason.")
        List<Condition> conditions,

        @JsonPropertyDescription("Generation of the spec that the rest of the status speaks of.")
        Long observedGeneration,

        @JsonPropertyDescription("Counts over all entries.") Pods pods,

        @JsonPropertyDescription("The entries of the demand, in step order.")
        List<Entry> entries) {

    /** Counts of pods. */
    public record Pods(
            @JsonPropertyDescription("Pods that the demand asks for, within maxPods.")
            Integer wanted,

            @JsonPropertyDescription("Pods that are not ready yet.")
            Integer warming,

            @JsonPropertyDescription("Pods that are ready.") Integer ready,

            @JsonPropertyDescription("Pods that ended and were replaced, since the pool was made.")
            Integer replaced) {}

    /** One entry of the demand. */
    public record Entry(
            @JsonPropertyDescription("Its name.") String name,

            @JsonPropertyDescription("Pods that it is granted.")
            Integer wanted,

            @JsonPropertyDescription("Pods that are ready.") Integer ready,

            @JsonPropertyDescription("Why pods are missing, for example ImagePullBackOff and what the registry said.")
            String reason,

            @JsonPropertyDescription("Turns in a row in which none of its pods could start; absent: none.")
            Integer failures,

            @JsonPropertyDescription(
                    "When it has its next turn, after one in which none of its pods could start. Until then other"
                            + " entries have its places.")
            String retryTime) {}
}
