package dev.tmax.tasks.build;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tmax.tasks.trial.ImageSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Reads the configuration of an image, which OCI and Docker write alike. */
final class ImageConfiguration {
    private ImageConfiguration() {}

    static ImageSettings read(JsonNode configuration) {
        Map<String, String> variables = new TreeMap<>();
        for (JsonNode variable : configuration.path("Env")) {
            int sign = variable.asText().indexOf('=');
            if (sign > 0) {
                variables.put(
                        variable.asText().substring(0, sign), variable.asText().substring(sign + 1));
            }
        }
        List<String> entrypoint = new ArrayList<>();
        configuration.path("Entrypoint").forEach(word -> entrypoint.add(word.asText()));
        return new ImageSettings(
                variables, word(configuration.path("User")), word(configuration.path("WorkingDir")), entrypoint);
    }

    private static Optional<String> word(JsonNode node) {
        return Optional.of(node.asText()).filter(text -> !text.isEmpty());
    }
}
