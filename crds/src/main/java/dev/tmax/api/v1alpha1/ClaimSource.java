package dev.tmax.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** A folder on a persistent volume. */
public record ClaimSource(
        @Required @Size(min = 1, max = 253) @JsonPropertyDescription("Name of the PersistentVolumeClaim.")
        String claimName,

        @Size(max = 1024)
        @Pattern(Paths.BELOW)
        @JsonPropertyDescription("Folder within it, relative; absent: its root.")
        String path) {}
