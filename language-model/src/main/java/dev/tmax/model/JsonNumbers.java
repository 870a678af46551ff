package dev.tmax.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;

/** Numbers of a configuration, with errors that name file and key. */
final class JsonNumbers {
    private JsonNumbers() {}

    static double positive(Path file, JsonNode parent, String key) {
        JsonNode value = parent.path(key);
        if (!value.isNumber() || !(value.asDouble() > 0)) {
            throw new ModelFormatException(
                    file, key + ": " + (value.isMissingNode() ? "missing" : value) + "; expected a positive number");
        }
        return value.asDouble();
    }

    static double positive(Path file, JsonNode parent, String key, double otherwise) {
        return parent.hasNonNull(key) ? positive(file, parent, key) : otherwise;
    }
}
