package dev.tmax.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;

/**
 * Rotary positions of {@code config.json}: {@code rope_theta} and {@code rope_scaling}, or all in
 * {@code rope_parameters} as newer files have it.
 */
final class RopeReader {
    private static final double DEFAULT_THETA = 10_000;
    private static final double YARN_BETA_FAST = 32;
    private static final double YARN_BETA_SLOW = 1;

    private final Path file;
    private final JsonNode json;
    private final JsonNode parameters;

    RopeReader(Path file, JsonNode json) {
        this.file = file;
        this.json = json;
        parameters = json.hasNonNull("rope_parameters") ? json.get("rope_parameters") : json.path("rope_scaling");
    }

    double theta() {
        return JsonNumbers.positive(
                file, parameters.hasNonNull("rope_theta") ? parameters : json, "rope_theta", DEFAULT_THETA);
    }

    /** Elements of a head that are turned. */
    int rotarySize(int headSize, double defaultFraction) {
        String key = "partial_rotary_factor";
        double fraction =
                JsonNumbers.positive(file, parameters.hasNonNull(key) ? parameters : json, key, defaultFraction);
        int size = (int) (headSize * fraction);
        if (size < 2 || size > headSize || size % 2 != 0) {
            throw new ModelFormatException(
                    file,
                    "head_dim and " + key + ": " + headSize + ", " + fraction
                            + "; expected that they give an even number of elements, up to the head (rotary positions"
                            + " turn pairs)");
        }
        return size;
    }

    RopeScaling scaling() {
        String type =
                parameters.path("rope_type").asText(parameters.path("type").asText("default"));
        return switch (type) {
            case "default", "mrope" -> new RopeScaling.None();
            case "linear" -> new RopeScaling.Linear(positive("factor"));
            case "dynamic" -> new RopeScaling.Dynamic(positive("factor"));
            case "llama3" ->
                new RopeScaling.Llama3(
                        positive("factor"), positive("low_freq_factor"), positive("high_freq_factor"), (int)
                                positive("original_max_position_embeddings"));
            case "yarn" -> yarn();
            default ->
                throw new ModelFormatException(
                        file,
                        "rope_scaling.rope_type: \"" + type
                                + "\" is not supported; supported are default, linear, dynamic, llama3, yarn");
        };
    }

    private RopeScaling yarn() {
        double original = JsonNumbers.positive(
                file,
                parameters,
                "original_max_position_embeddings",
                JsonNumbers.positive(file, json, "max_position_embeddings"));
        double factor = positive("factor");
        return new RopeScaling.Yarn(
                factor,
                (int) original,
                JsonNumbers.positive(file, parameters, "beta_fast", YARN_BETA_FAST),
                JsonNumbers.positive(file, parameters, "beta_slow", YARN_BETA_SLOW),
                JsonNumbers.positive(file, parameters, "attention_factor", yarnAttentionFactor(factor)),
                parameters.path("truncate").asBoolean(true));
    }

    private double yarnAttentionFactor(double factor) {
        if (parameters.hasNonNull("mscale") && parameters.hasNonNull("mscale_all_dim")) {
            return attentionScale(factor, positive("mscale")) / attentionScale(factor, positive("mscale_all_dim"));
        }
        return attentionScale(factor, 1);
    }

    private static double attentionScale(double factor, double mscale) {
        return factor <= 1 ? 1 : 0.1 * mscale * Math.log(factor) + 1;
    }

    private double positive(String key) {
        return JsonNumbers.positive(file, parameters, key);
    }
}
