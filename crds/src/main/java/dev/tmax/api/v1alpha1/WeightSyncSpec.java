package dev.tmax.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Min;

/** How weights go from the trainer to the generators. */
public record WeightSyncSpec(
        @Default("Patch") @JsonPropertyDescription("The difference to the version before, or the whole.")
        Mode mode,

        @Default("1") @Min(1) @JsonPropertyDescription("Steps between two published versions.")
        Integer everySteps) {

    /** Patch falls back to the whole where it would be no smaller. */
    public enum Mode {
        @JsonProperty("Patch")
        PATCH,
        @JsonProperty("Full")
        FULL
    }
}
