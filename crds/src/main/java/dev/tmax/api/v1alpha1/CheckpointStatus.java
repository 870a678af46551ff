package dev.tmax.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;

/** What and where a snapshot is. */
public record CheckpointStatus(
        @JsonPropertyDescription("Complete: the snapshot can be used.")
        List<Condition> conditions,

        @JsonPropertyDescription("Generation of the spec that the rest of the status speaks of.")
        Long observedGeneration,

        @JsonPropertyDescription("Name of the trainer's snapshot.")
        String snapshot,

        @JsonPropertyDescription("Optimizer steps done.") Integer step,
        @JsonPropertyDescription("Version of its weights.") Long policyVersion,
        @JsonPropertyDescription("Where it lies.") Location location,
        @JsonPropertyDescription("Digest of its manifest.") String digest,
        @JsonPropertyDescription("Size.") Long sizeBytes,

        @JsonPropertyDescription("Snapshot that it continues.")
        String parent,

        @JsonPropertyDescription("True once everything is on disk.")
        Boolean complete,

        @JsonPropertyDescription("Mean reward of its step, as a decimal string.")
        String reward,

        @JsonPropertyDescription("When it was written.") String time) {

    /** Folders on a claim. */
    public record Location(
            @JsonPropertyDescription("PersistentVolumeClaim in this namespace.")
            String claimName,

            @JsonPropertyDescription("Folder of the snapshot, relative.")
            String path,

            @JsonPropertyDescription(
                    "Folder of its model in Hugging Face layout, relative; absent where none was written.")
            String huggingFacePath) {}
}
