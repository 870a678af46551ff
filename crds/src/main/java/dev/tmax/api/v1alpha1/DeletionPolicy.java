package dev.tmax.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What becomes of a snapshot when its run is deleted. */
public enum DeletionPolicy {
    /** It goes with the run. */
    @JsonProperty("Delete")
    DELETE,
    /** It stays until its Checkpoint is deleted. */
    @JsonProperty("Retain")
    RETAIN
}
