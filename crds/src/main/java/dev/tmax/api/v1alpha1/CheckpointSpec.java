package dev.tmax.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/** Which run, and what becomes of the snapshot when that run is deleted. */
public record CheckpointSpec(
        @Required
        @JsonPropertyDescription("The run, in this namespace. Immutable.")
        @ValidationRule(value = "self == oldSelf", message = "runRef is immutable; make another Checkpoint")
        NameRef runRef,

        @Default("Delete") @JsonPropertyDescription("What becomes of the snapshot when its run is deleted.")
        DeletionPolicy deletionPolicy,

        @Size(max = 253)
        @JsonPropertyDescription("Name of the trainer's snapshot, set by the operator; absent: take one now.")
        String snapshot) {}
