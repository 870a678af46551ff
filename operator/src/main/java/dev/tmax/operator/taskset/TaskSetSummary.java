package dev.tmax.operator.taskset;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the indexing Job says at its end: the JSON of {@code tasks index}.
 *
 * @param firstInvalid where there is nothing to read, the path and why
 * @param contaminated null where nothing was looked for
 * @param balance exp(entropy) over number of the domains; null where no task has one
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record TaskSetSummary(
        String format,
        int tasks,
        int invalid,
        List<Invalid> firstInvalid,
        Map<String, Integer> domains,
        Double balance,
        int duplicates,
        int nearDuplicates,
        Integer contaminated,
        String digest) {

    private static final ObjectMapper JSON = new ObjectMapper();

    TaskSetSummary {
        firstInvalid = firstInvalid == null ? List.of() : List.copyOf(firstInvalid);
        domains = domains == null ? Map.of() : Map.copyOf(domains);
    }

    /** A task that cannot be used. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record Invalid(String task, String reason) {}

    /** Empty where the text is no summary. */
    static Optional<TaskSetSummary> parse(String text) {
        if (text == null || text.isBlank()) {
            return Optional.empty();
        }
        try {
            return Optional.ofNullable(JSON.readValue(text, TaskSetSummary.class));
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    boolean isValid() {
        return tasks > 0 && invalid == 0;
    }

    /** One sentence: what is there, or the first thing that is wrong. */
    String sentence() {
        if (isValid()) {
            return tasks + " tasks, all usable";
        }
        String first = firstInvalid.isEmpty()
                ? "the set is empty; put tasks into it or correct spec.path"
                : firstInvalid.getFirst().task() + ": "
                        + firstInvalid.getFirst().reason();
        return invalid == 0
                ? "no usable task: " + first
                : invalid + " of " + (tasks + invalid) + " tasks cannot be used: " + first;
    }
}
