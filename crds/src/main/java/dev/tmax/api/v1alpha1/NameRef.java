package dev.tmax.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** An object of this namespace by name. */
public record NameRef(
        @Required @Size(min = 1, max = 253) @JsonPropertyDescription("Its name.")
        String name) {}
