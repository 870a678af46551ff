package dev.tmax.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;

/** The model to start from and the lengths of an episode, in tokens. */
@ValidationRule(
        value = "self.maxTurnTokens <= self.maxResponseTokens",
        message =
                "maxTurnTokens is above maxResponseTokens; a turn is part of the response: lower the one or raise the other",
        fieldPath = ".maxTurnTokens")
public record ModelSpec(
        @Required @JsonPropertyDescription("Where the model is: a folder in Hugging Face layout.")
        ModelSource source,

        @Default("2048") @Min(1) @JsonPropertyDescription("Longest system prompt and instruction.")
        Integer maxPromptTokens,

        @Default("65536") @Min(1) @JsonPropertyDescription("Longest rest of an episode, observations included.")
        Integer maxResponseTokens,

        @Default("16384") @Min(1) @JsonPropertyDescription("Longest assistant turn.")
        Integer maxTurnTokens) {}
