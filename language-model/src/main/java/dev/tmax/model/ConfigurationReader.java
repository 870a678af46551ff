package dev.tmax.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Reads {@code config.json}; refuses what the programs would compute wrongly. */
final class ConfigurationReader {
    private static final double QWEN3_5_ROTARY_FRACTION = 0.25;
    private static final int QWEN3_5_ATTENTION_INTERVAL = 4;

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
            return new ConfigurationReader(file, TextModel.configuration(json)).configuration();
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
        boolean hybrid = architecture == Architecture.QWEN3_5;
        if (hybrid) {
            refuse("attn_output_gate", "true");
        }
        List<LayerType> layerTypes = layerTypes(hybrid);
        int hidden = size("hidden_size");
        int heads = size("num_attention_heads");
        int keyValueHeads = json.hasNonNull("num_key_value_heads") ? size("num_key_value_heads") : heads;
        requireDivisor("num_key_value_heads", keyValueHeads, "num_attention_heads", heads);
        int headSize = json.hasNonNull("head_dim") ? size("head_dim") : hidden / heads;
        RopeReader rope = new RopeReader(file, json);
        return new ModelConfiguration(
                architecture,
                hidden,
                size("intermediate_size"),
                layerTypes,
                heads,
                keyValueHeads,
                headSize,
                rope.rotarySize(headSize, hybrid ? QWEN3_5_ROTARY_FRACTION : 1),
                size("vocab_size"),
                size("max_position_embeddings"),
                rope.theta(),
                rope.scaling(),
                JsonNumbers.positive(file, json, "rms_norm_eps"),
                json.path("tie_word_embeddings").asBoolean(false),
                architecture == Architecture.QWEN3 || hybrid,
                architecture == Architecture.QWEN2,
                hybrid,
                hybrid,
                layerTypes.contains(LayerType.DELTA_NET) ? Optional.of(deltaNet()) : Optional.empty());
    }

    private Architecture architecture() {
        String name = json.path("architectures").path(0).asText("");
        return Architecture.named(name)
                .orElseThrow(() -> new ModelFormatException(
                        file,
                        "architectures: [\"" + name + "\"] is not supported; supported are "
                                + Architecture.supported()));
    }

    private List<LayerType> layerTypes(boolean hybrid) {
        int layers = size("num_hidden_layers");
        if (!json.hasNonNull("layer_types")) {
            int interval = !hybrid
                    ? 1
                    : json.hasNonNull("full_attention_interval")
                            ? size("full_attention_interval")
                            : QWEN3_5_ATTENTION_INTERVAL;
            return IntStream.rangeClosed(1, layers)
                    .mapToObj(layer -> layer % interval == 0 ? LayerType.ATTENTION : LayerType.DELTA_NET)
                    .toList();
        }
        List<LayerType> supported = hybrid ? List.of(LayerType.values()) : List.of(LayerType.ATTENTION);
        List<LayerType> types = new ArrayList<>();
        for (JsonNode name : json.get("layer_types")) {
            types.add(supported.stream()
                    .filter(type -> type.configName().equals(name.asText()))
                    .findFirst()
                    .orElseThrow(() -> new ModelFormatException(
                            file,
                            "layer_types: " + name + " is not supported; supported are "
                                    + supported.stream()
                                            .map(LayerType::configName)
                                            .collect(Collectors.joining(", ")))));
        }
        if (types.size() != layers) {
            throw new ModelFormatException(
                    file, "layer_types: " + types.size() + " layers; expected num_hidden_layers (" + layers + ")");
        }
        return types;
    }

    private DeltaNet deltaNet() {
        DeltaNet net = new DeltaNet(
                size("linear_num_key_heads"),
                size("linear_num_value_heads"),
                size("linear_key_head_dim"),
                size("linear_value_head_dim"),
                size("linear_conv_kernel_dim"));
        requireDivisor("linear_num_key_heads", net.keyHeads(), "linear_num_value_heads", net.valueHeads());
        if (net.taps() < 2) {
            throw invalid("linear_conv_kernel_dim", "at least 2");
        }
        return net;
    }

    private void requireDivisor(String key, int value, String ofKey, int of) {
        if (of % value != 0) {
            throw invalid(key, "a divisor of " + ofKey + " (" + of + ")");
        }
    }

    private int size(String key) {
        JsonNode value = json.path(key);
        if (!value.canConvertToInt() || value.asInt() < 1) {
            throw invalid(key, "a positive whole number");
        }
        return value.asInt();
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
