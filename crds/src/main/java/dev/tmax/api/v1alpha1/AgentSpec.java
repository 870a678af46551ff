package dev.tmax.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/** The agent loop: think, run one command, observe. */
@ValidationRule(
        value = "!(has(self.systemPrompt) && has(self.systemPromptRef))",
        message = "agent has systemPrompt and systemPromptRef; give one of them",
        fieldPath = ".systemPromptRef")
public record AgentSpec(
        @Default("64") @Min(1) @JsonPropertyDescription("Assistant turns of an episode.")
        Integer maxTurns,

        @Default("120s")
        @Size(max = 16)
        @JsonPropertyDescription("Longest time of one command: whole seconds, minutes or hours, for example 120s.")
        @ValidationRule(
                value = "self.matches('^[1-9][0-9]{0,5}[smh]$')",
                messageExpression =
                        "'commandTimeout: ' + self + ' is not usable; write whole seconds, minutes or hours such as 120s'")
        String commandTimeout,

        @Default("10000")
        @Min(100)
        @JsonPropertyDescription("Characters of a command's output that the model sees; more is cut in the middle.")
        Integer observationLimit,

        @Size(max = 65536) @JsonPropertyDescription("Text of the system message.")
        String systemPrompt,

        @JsonPropertyDescription("ConfigMap in this namespace that holds the system message.")
        ConfigMapKeyRef systemPromptRef) {

    /** One key of a ConfigMap. */
    public record ConfigMapKeyRef(
            @Required @Size(min = 1, max = 253) @JsonPropertyDescription("Name of the ConfigMap.")
            String name,

            @Default("system-prompt.txt") @Size(min = 1, max = 253) @JsonPropertyDescription("Key of it.")
            String key) {}
}
