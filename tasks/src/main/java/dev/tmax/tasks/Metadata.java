package dev.tmax.tasks;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Labels of a task.
 *
 * @param labels single-valued labels by name: {@code domain}, {@code difficulty}, {@code skill_type}, …
 * @param tags the list {@code tags} or {@code keywords}
 */
public record Metadata(Map<String, String> labels, List<String> tags) {
    public Metadata {
        labels = new TreeMap<>(labels);
        tags = List.copyOf(tags);
    }

    /** The label, where the task has it. */
    public Optional<String> label(String name) {
        return Optional.ofNullable(labels.get(name));
    }

    /** The domain, which Terminal-Bench calls category. */
    public Optional<String> domain() {
        return label("domain").or(() -> label("category"));
    }

    public Optional<String> difficulty() {
        return label("difficulty");
    }

    public Optional<String> language() {
        return label("language");
    }
}
