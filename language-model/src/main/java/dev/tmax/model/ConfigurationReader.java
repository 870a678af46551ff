package dev.tmax.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads {@code config.json}; refuses what the programs would compute wrongly. */
final class ConfigurationReader {
    private final Path file;
    private final JsonNode json;

    private ConfigurationReader(Path file, JsonNode json) {
        this.file = file;
        this.json = json;
    }

    static ModelConfiguration read(Path file) {
        try {
            JsonNode json = new ObjectMapper()
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .readTree(Files.readString(file));
            return new ConfigurationReader(file, json).configuration();
        } catch (JsonProcessingException e) {
            throw new ModelFormatException(file, "not JSON: " + e.getOriginalMessage() + "; download it again", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ModelConfiguration configuration() {
        Architecture architecture = architecture();
        refuse("hidden_act", "silu");
        refuse("mlp_bias", "false");
        refuse("use_sliding_window", "false");
        if (architecture != Architecture.QWEN2) {
            refuse("attention_bias", "false");
        }
        int hidden = size("hidden_size");
        int heads = size("num_attention_heads");
        int keyValueHeads = json.hasNonNull("num_key_value_heads") ? size("num_key_value_heads") : heads;
        if (heads % keyValueHeads != 0) {
            throw invalid("num_key_value_heads", "a divisor of num_attention_heads (" + heads + ")");
        }
        int headSize = json.hasNonNull("head_dim") ? size("head_dim") : hidden / heads;
        if (headSize % 2 != 0) {
            throw invalid("head_dim", "an even number (rotary positions turn pairs)");
        }
        return new ModelConfiguration(
                architecture,
                hidden,
                size("intermediate_size"),
                size("num_hidden_layers"),
                heads,
                keyValueHeads,
                headSize,
                size("vocab_size"),
                size("max_position_embeddings"),
                ropeTheta(),
                ropeScaling(),
                positive(json, "rms_norm_eps"),
                json.path("tie_word_embeddings").asBoolean(false),
                architecture == Architecture.QWEN3,
                architecture == Architecture.QWEN2);
    }

    private Architecture architecture() {
        String name = json.path("architectures").path(0).asText("");
        return Architecture.named(name)
                .orElseThrow(() -> new ModelFormatException(
                        file,
                        "architectures: [\"" + name + "\"] is not supported; supported are "
                                + Architecture.supported()));
    }

    private double ropeTheta() {
        // Newer files keep theta beside the scaling.
        JsonNode nested = json.path("rope_parameters");
        if (nested.has("rope_theta")) {
            return positive(nested, "rope_theta");
        }
        return json.has("rope_theta") ? positive(json, "rope_theta") : 10_000;
    }

    private RopeScaling ropeScaling() {
        JsonNode scaling = json.hasNonNull("rope_scaling") ? json.get("rope_scaling") : json.path("rope_parameters");
        String type = scaling.path("rope_type").asText(scaling.path("type").asText("default"));
        return switch (type) {
            case "default" -> new RopeScaling.None();
            case "linear" -> new RopeScaling.Linear(positive(scaling, "factor"));
            case "llama3" ->
                new RopeScaling.Llama3(
                        positive(scaling, "factor"),
                        positive(scaling, "low_freq_factor"),
                        positive(scaling, "high_freq_factor"),
                        (int) positive(scaling, "original_max_position_embeddings"));
            default ->
                throw new ModelFormatException(
                        file,
                        "rope_scaling.rope_type: \"" + type
                                + "\" is not supported; supported are default, linear, llama3");
        };
    }

    private int size(String key) {
        JsonNode value = json.path(key);
        if (!value.canConvertToInt() || value.asInt() < 1) {
            throw invalid(key, "a positive whole number");
        }
        return value.asInt();
    }

    private double positive(JsonNode parent, String key) {
        JsonNode value = parent.path(key);
        if (!value.isNumber() || !(value.asDouble() > 0)) {
            throw new ModelFormatException(
                    file, key + ": " + (value.isMissingNode() ? "missing" : value) + "; expected a positive number");
        }
        return value.asDouble();
    }

    private ModelFormatException invalid(String key, String expected) {
        JsonNode value = json.path(key);
        return new ModelFormatException(
                file, key + ": " + (value.isMissingNode() ? "missing" : value) + "; expected " + expected);
    }

    /** An option may be absent or have the one value that the programs compute. */
    private void refuse(String key, String only) {
        if (json.hasNonNull(key) && !json.get(key).asText().equals(only)) {
            throw new ModelFormatException(
                    file, key + ": " + json.get(key) + " is not supported; supported is " + only);
        }
    }
}
