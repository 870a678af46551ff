package dev.tmax.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tmax.model.weights.NamedTensor;
import dev.tmax.model.weights.WeightSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The text part of a model that also sees images or predicts several tokens ahead (Qwen3.5 as published): its
 * configuration is {@code text_config}, its tensors stand under {@code model.language_model.}; the vision tower and the
 * extra prediction layers are left out.
 */
public final class TextModel {
    private static final String WRAPPER = "Qwen3_5ForConditionalGeneration";
    private static final String WRAPPED_PREFIX = "model.language_model.";
    private static final String PREFIX = "model.";
    /** Parts that text does not need, by the beginning of their tensors' names. */
    private static final List<String> LEFT_OUT = List.of("model.visual.", "visual.", "mtp.");
    /** Keys that a wrapper may have beside {@code text_config}. */
    private static final List<String> INHERITED =
            List.of("tie_word_embeddings", "bos_token_id", "eos_token_id", "pad_token_id", "dtype", "torch_dtype");

    private TextModel() {}

    /** The configuration of the text part; the given one if it is no wrapper's. */
    public static JsonNode configuration(JsonNode config) {
        if (!config.path("architectures").path(0).asText().equals(WRAPPER)
                || !(config.path("text_config") instanceof ObjectNode wrapped)) {
            return config;
        }
        ObjectNode text = wrapped.deepCopy();
        text.putArray("architectures").add(Architecture.QWEN3_5.className());
        text.put("model_type", Architecture.QWEN3_5.modelType());
        for (String key : INHERITED) {
            if (!text.hasNonNull(key) && config.hasNonNull(key)) {
                text.set(key, config.get(key));
            }
        }
        return text;
    }

    /**
     * A model's tensors by the names of the text part.
     *
     * @param tensors of the text part
     * @param leftOut number of tensors left out, by the beginning of their names
     */
    record Weights(Map<String, NamedTensor> tensors, Map<String, Integer> leftOut) implements WeightSource {
        static Weights of(WeightSource whole) {
            Map<String, NamedTensor> tensors = new LinkedHashMap<>();
            Map<String, Integer> leftOut = new TreeMap<>();
            for (String name : whole.names()) {
                Optional<String> part =
                        LEFT_OUT.stream().filter(name::startsWith).findFirst();
                if (part.isPresent()) {
                    leftOut.merge(part.get() + "*", 1, Integer::sum);
                } else {
                    NamedTensor tensor = whole.tensor(name);
                    String text =
                            name.startsWith(WRAPPED_PREFIX) ? PREFIX + name.substring(WRAPPED_PREFIX.length()) : name;
                    tensors.put(text, new NamedTensor(text, tensor.type(), tensor.shape(), tensor.data()));
                }
            }
            return new Weights(tensors, leftOut);
        }

        @Override
        public List<String> names() {
            return new ArrayList<>(tensors.keySet());
        }

        @Override
        public NamedTensor tensor(String name) {
            NamedTensor tensor = tensors.get(name);
            if (tensor == null) {
                throw new IllegalArgumentException("no tensor " + name);
            }
            return tensor;
        }
    }
}
