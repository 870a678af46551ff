package dev.tmax.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Required;

/** The tasks to train on. */
public record TasksSpec(
        @Required @JsonPropertyDescription("TaskSet in this namespace.")
        NameRef taskSetRef,

        @Default("0") @JsonPropertyDescription("Seed of the order in which tasks are taken.")
        Long shuffleSeed) {}
