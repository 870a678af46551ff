package dev.tmax.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/** What stops a run that goes wrong. */
public record GuardrailsSpec(
        @Size(max = 32)
        @JsonPropertyDescription("Bound of the mean trainer-generator log-probability difference.")
        @ValidationRule(
                value = Numbers.POSITIVE,
                messageExpression =
                        "'maxLogProbDifference: ' + self + ' is not usable; write a positive number such as 0.05'")
        String maxLogProbDifference,

        @Size(max = 32)
        @JsonPropertyDescription("Bound of the mean entropy, nats.")
        @ValidationRule(
                value = Numbers.NOT_NEGATIVE,
                messageExpression =
                        "'minEntropy: ' + self + ' is not usable; write 0 or a positive number such as 0.05'")
        String minEntropy,

        @Default("None") @JsonPropertyDescription("None only measures.")
        Action action) {

    /** Pause checkpoints and stops issuing; Rollback returns to the last checkpoint. */
    public enum Action {
        @JsonProperty("None")
        NONE,
        @JsonProperty("Pause")
        PAUSE,
        @JsonProperty("Rollback")
        ROLLBACK
    }
}
