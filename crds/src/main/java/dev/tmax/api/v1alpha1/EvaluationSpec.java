package dev.tmax.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;

/** Held-out tasks: measured before the first and after the last step. */
public record EvaluationSpec(
        @Required @JsonPropertyDescription("TaskSet in this namespace.")
        NameRef taskSetRef,

        @Default("1") @Min(1) @JsonPropertyDescription("Episodes of each task.")
        Integer attempts) {}
