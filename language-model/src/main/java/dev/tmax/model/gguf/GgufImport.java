package dev.tmax.model.gguf;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tmax.model.Architecture;
import dev.tmax.model.ModelFolder;
import dev.tmax.model.ModelFormatException;
import dev.tmax.model.ParameterLayout;
import dev.tmax.model.text.TokenizerFiles;
import dev.tmax.model.weights.BFloat16;
import dev.tmax.model.weights.ElementType;
import dev.tmax.model.weights.NamedTensor;
import dev.tmax.model.weights.SafetensorsWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Turns a GGUF file into a model folder in Hugging Face layout, weights in bfloat16. */
public final class GgufImport {
    private static final int CONTROL_TOKEN = 3;
    private static final int USER_TOKEN = 4;
    /** Those that llama.cpp calls by the same name and whose tensors {@link GgufNames} knows. */
    private static final List<Architecture> ARCHITECTURES =
            List.of(Architecture.LLAMA, Architecture.QWEN2, Architecture.QWEN3);

    private final GgufFile file;
    private final Architecture architecture;

    private GgufImport(GgufFile file) {
        this.file = file;
        architecture = architecture();
    }

    /**
     * Imports a file and opens the result.
     *
     * @param target made if it does not exist
     * @throws ModelFormatException if the architecture, a tensor's quantisation or the tokenizer is not supported, or
     *     the file is damaged
     */
    public static ModelFolder convert(Path gguf, Path target) {
        GgufImport conversion = new GgufImport(GgufFile.open(gguf));
        try {
            Files.createDirectories(target);
            conversion.writeConfiguration(target);
            conversion.tokenizer().write(target);
            conversion.writeWeights(target);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ModelFolder.open(target);
    }

    private Architecture architecture() {
        String name = file.value("general.architecture", String.class);
        for (Architecture known : ARCHITECTURES) {
            if (known.modelType().equals(name)) {
                return known;
            }
        }
        throw new ModelFormatException(
                file.path(),
                "general.architecture: " + name + " is not supported; supported are "
                        + ARCHITECTURES.stream().map(Architecture::modelType).collect(Collectors.joining(", ")));
    }

    private String key(String suffix) {
        return architecture.modelType() + "." + suffix;
    }

    private void writeConfiguration(Path target) throws IOException {
        if (file.hasTensor("rope_freqs.weight") || file.has(key("rope.scaling.type"))) {
            throw new ModelFormatException(file.path(), "rotary scaling is not supported in a GGUF file");
        }
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode config = mapper.createObjectNode();
        config.putArray("architectures").add(architecture.className());
        config.put("model_type", architecture.modelType())
                .put("hidden_act", "silu")
                .put("hidden_size", hidden())
                .put("intermediate_size", file.integer(key("feed_forward_length")))
                .put("num_hidden_layers", file.integer(key("block_count")))
                .put("num_attention_heads", heads())
                .put("num_key_value_heads", keyValueHeads())
                .put("head_dim", headSize())
                .put("vocab_size", file.tensor("token_embd.weight").shape().getFirst())
                .put("max_position_embeddings", file.integer(key("context_length")))
                .put("rms_norm_eps", number("attention.layer_norm_rms_epsilon"))
                .put("rope_theta", file.has(key("rope.freq_base")) ? number("rope.freq_base") : 10_000)
                .put("tie_word_embeddings", !file.hasTensor("output.weight"))
                .put("torch_dtype", "bfloat16");
        token("bos").ifPresent(id -> config.put("bos_token_id", id));
        token("eos").ifPresent(id -> config.put("eos_token_id", id));
        token("padding").ifPresent(id -> config.put("pad_token_id", id));
        Files.writeString(
                target.resolve("config.json"),
                mapper.writerWithDefaultPrettyPrinter().writeValueAsString(config) + "\n");
    }

    /** A float32 as the decimal it was written from: 1e-5, not 9.999999747e-6. */
    private double number(String suffix) {
        return Double.parseDouble(
                Float.toString(file.value(key(suffix), Number.class).floatValue()));
    }

    private int hidden() {
        return file.integer(key("embedding_length"));
    }

    private int heads() {
        return file.integer(key("attention.head_count"));
    }

    private int keyValueHeads() {
        return file.integer(key("attention.head_count_kv"));
    }

    private int headSize() {
        return file.has(key("attention.key_length")) ? file.integer(key("attention.key_length")) : hidden() / heads();
    }

    private Optional<Integer> token(String name) {
        String key = "tokenizer.ggml." + name + "_token_id";
        return file.has(key) ? Optional.of(file.integer(key)) : Optional.empty();
    }

    private TokenizerFiles tokenizer() {
        List<String> tokens = file.list("tokenizer.ggml.tokens", String.class);
        List<Number> types = file.list("tokenizer.ggml.token_type", Number.class);
        List<TokenizerFiles.Special> special = new ArrayList<>();
        for (int id = 0; id < types.size(); id++) {
            int type = types.get(id).intValue();
            if (type == CONTROL_TOKEN || type == USER_TOKEN) {
                special.add(new TokenizerFiles.Special(id, type == CONTROL_TOKEN));
            }
        }
        return new TokenizerFiles(
                tokens,
                file.list("tokenizer.ggml.merges", String.class),
                special,
                splitting(),
                token("bos").map(tokens::get),
                token("eos").map(tokens::get),
                token("padding").map(tokens::get),
                file.has("tokenizer.chat_template")
                        ? Optional.of(file.value("tokenizer.chat_template", String.class))
                        : Optional.empty());
    }

    private TokenizerFiles.Splitting splitting() {
        String model = file.value("tokenizer.ggml.model", String.class);
        String splitting = file.has("tokenizer.ggml.pre") ? file.value("tokenizer.ggml.pre", String.class) : "";
        return switch (model + "/" + splitting) {
            case "gpt2/smollm" -> TokenizerFiles.Splitting.SMOLLM;
            case "gpt2/qwen2" -> TokenizerFiles.Splitting.QWEN2;
            default ->
                throw new ModelFormatException(
                        file.path(),
                        "tokenizer.ggml.model and .pre: " + model + ", " + splitting
                                + " are not supported; supported are gpt2 with smollm or qwen2");
        };
    }

    private void writeWeights(Path target) {
        ParameterLayout layout = ModelFolder.layout(target);
        try (Arena arena = Arena.ofConfined()) {
            List<NamedTensor> tensors = layout.parameters().stream()
                    .map(parameter -> tensor(arena, parameter))
                    .toList();
            SafetensorsWriter.write(target.resolve("model.safetensors"), tensors, Map.of("format", "pt"));
        }
    }

    private NamedTensor tensor(Arena arena, ParameterLayout.Parameter parameter) {
        GgufFile.Tensor source = file.tensor(GgufNames.of(parameter.name()));
        if (!source.shape().equals(parameter.shape())) {
            throw new ModelFormatException(
                    file.path(),
                    "tensor " + source.name() + ": shape " + source.shape() + ", expected " + parameter.shape());
        }
        float[] values = source.quantization().decode(source.data(), source.elements());
        if (architecture == Architecture.LLAMA && parameter.name().matches(".*[qk]_proj\\.weight")) {
            values =
                    halvesApart(values, (int) (values.length / parameter.shape().getFirst()));
        }
        MemorySegment bytes = arena.allocate(2L * values.length, Long.BYTES);
        for (int i = 0; i < values.length; i++) {
            bytes.setAtIndex(ValueLayout.JAVA_SHORT, i, BFloat16.of(values[i]));
        }
        return new NamedTensor(parameter.name(), ElementType.BF16, parameter.shape(), bytes);
    }

    /**
     * Undoes llama.cpp's order of query and key rows, which puts the two elements of a rotary pair next to each other;
     * Hugging Face has the first elements of all pairs of a head, then the second ones.
     */
    private float[] halvesApart(float[] rows, int columns) {
        int size = headSize();
        float[] result = new float[rows.length];
        for (int head = 0; head < rows.length / columns / size; head++) {
            for (int row = 0; row < size; row++) {
                int from = head * size + row;
                int to = head * size + (row % 2) * (size / 2) + row / 2;
                System.arraycopy(rows, from * columns, result, to * columns, columns);
            }
        }
        return result;
    }
}
