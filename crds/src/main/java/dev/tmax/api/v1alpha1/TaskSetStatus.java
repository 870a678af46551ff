package dev.tmax.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Map;

/** What was found in a TaskSet. */
public record TaskSetStatus(
        @JsonPropertyDescription("Valid: True once every task can be trained on.")
        List<Condition> conditions,

        @JsonPropertyDescription("Generation of the spec that the rest of the status speaks of.")
        Long observedGeneration,

        @JsonPropertyDescription("Format that was found.") String format,

        @JsonPropertyDescription("Tasks that can be trained on.")
        Integer tasks,

        @JsonPropertyDescription("Tasks that cannot.") Integer invalid,

        @JsonPropertyDescription("The first of them, with reasons.")
        List<InvalidTask> firstInvalid,

        @JsonPropertyDescription("Tasks by domain, the most frequent ones.")
        Map<String, Integer> domains,

        @JsonPropertyDescription("exp(entropy of the domains) over their number: 1 is even, as a decimal string.")
        String balance,

        @JsonPropertyDescription("Tasks that repeat another.")
        Integer duplicates,

        @JsonPropertyDescription("Pairs of tasks with almost the same instruction.")
        Integer nearDuplicates,

        @JsonPropertyDescription("Tasks that share 13 words in a row with one of spec.contaminationCheck.")
        Integer contaminated,

        @JsonPropertyDescription("SHA-256 over all tasks.") String digest) {

    /** A task that cannot be trained on. */
    public record InvalidTask(
            @JsonPropertyDescription("Its folder.") String task,

            @JsonPropertyDescription("What is wrong and what to do.")
            String reason) {}
}
