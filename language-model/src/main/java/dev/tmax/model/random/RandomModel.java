package dev.tmax.model.random;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tmax.model.Architecture;
import dev.tmax.model.ModelFolder;
import dev.tmax.model.ParameterLayout;
import dev.tmax.model.text.TokenizerFiles;
import dev.tmax.model.weights.BFloat16;
import dev.tmax.model.weights.ElementType;
import dev.tmax.model.weights.NamedTensor;
import dev.tmax.model.weights.SafetensorsWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * A small model with random weights, its own byte-level tokenizer and a ChatML template: real in every format, cheap to
 * decode and train, for tests of everything around a model.
 *
 * @param architecture any; of Qwen3.5, every fourth layer has attention, the others a delta net
 * @param hiddenSize width; a multiple of {@code heads}
 * @param layers layers
 * @param heads query heads; half as many key/value heads
 * @param feedForwardSize width of the feed-forward
 * @param vocabulary most tokens of the tokenizer; at least 260
 * @param maxPositions positions
 * @param seed of the weights
 */
public record RandomModel(
        Architecture architecture,
        int hiddenSize,
        int layers,
        int heads,
        int feedForwardSize,
        int vocabulary,
        int maxPositions,
        long seed) {
    private static final String BEGIN = "<|im_start|>";
    private static final String END = "<|im_end|>";
    private static final List<String> CONTROL = List.of("<|endoftext|>", BEGIN, END);
    private static final double INITIAL_DEVIATION = 0.05;
    /** Of a delta net's state, by token. */
    private static final double SLOWEST_DECAY = 0.01;

    private static final double FASTEST_DECAY = 1;
    private static final String TEMPLATE = "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' +"
            + " message['content'] + '<|im_end|>' + '\n' }}{% endfor %}"
            + "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}";

    public RandomModel {
        if (heads < 2 || heads % 2 != 0 || hiddenSize % (2 * heads) != 0) {
            throw new IllegalArgumentException("hiddenSize and heads: " + hiddenSize + ", " + heads
                    + "; give an even number of heads and a width that is a multiple of twice the heads");
        }
        if (vocabulary < 260) {
            throw new IllegalArgumentException("vocabulary: " + vocabulary + "; give at least 260");
        }
    }

    /** About 1.6 million weights. */
    public static RandomModel small(long seed) {
        return new RandomModel(Architecture.LLAMA, 192, 3, 6, 512, 512, 4096, seed);
    }

    /** Writes the folder and opens it. */
    public ModelFolder write(Path folder) {
        try {
            Files.createDirectories(folder);
            int tokens = writeTokenizer(folder);
            writeConfiguration(folder, tokens);
            writeWeights(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ModelFolder.open(folder);
    }

    private int writeTokenizer(Path folder) throws IOException {
        BytePairs pairs = BytePairs.learn(corpus(), vocabulary - CONTROL.size());
        List<String> tokens = new ArrayList<>(CONTROL);
        tokens.addAll(pairs.tokens());
        List<TokenizerFiles.Special> special = new ArrayList<>();
        for (int id = 0; id < CONTROL.size(); id++) {
            special.add(new TokenizerFiles.Special(id, true));
        }
        new TokenizerFiles(
                        tokens,
                        pairs.merges(),
                        special,
                        TokenizerFiles.Splitting.SMOLLM,
                        Optional.of(BEGIN),
                        Optional.of(END),
                        Optional.of(END),
                        Optional.of(TEMPLATE))
                .write(folder);
        return tokens.size();
    }

    private static String corpus() throws IOException {
        try (InputStream corpus = RandomModel.class.getResourceAsStream("corpus.txt")) {
            return new String(corpus.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private void writeConfiguration(Path folder, int tokens) throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode config = mapper.createObjectNode();
        config.putArray("architectures").add(architecture.className());
        config.put("model_type", architecture.modelType())
                .put("hidden_act", "silu")
                .put("hidden_size", hiddenSize)
                .put("intermediate_size", feedForwardSize)
                .put("num_hidden_layers", layers)
                .put("num_attention_heads", heads)
                .put("num_key_value_heads", heads / 2)
                .put("head_dim", hiddenSize / heads)
                .put("vocab_size", tokens)
                .put("max_position_embeddings", maxPositions)
                .put("rms_norm_eps", 1e-5)
                .put("rope_theta", 10_000.0)
                .put("tie_word_embeddings", true)
                .put("bos_token_id", CONTROL.indexOf(BEGIN))
                .put("eos_token_id", CONTROL.indexOf(END))
                .put("torch_dtype", "bfloat16");
        if (architecture == Architecture.QWEN3_5) {
            config.put("full_attention_interval", 4)
                    .put("partial_rotary_factor", 0.25)
                    .put("linear_num_key_heads", heads / 2)
                    .put("linear_num_value_heads", heads)
                    .put("linear_key_head_dim", hiddenSize / heads)
                    .put("linear_value_head_dim", hiddenSize / heads)
                    .put("linear_conv_kernel_dim", 4);
        }
        Files.writeString(
                folder.resolve("config.json"),
                mapper.writerWithDefaultPrettyPrinter().writeValueAsString(config) + "\n");
    }

    private void writeWeights(Path folder) {
        Random random = new Random(seed);
        try (Arena arena = Arena.ofConfined()) {
            List<NamedTensor> tensors = ModelFolder.layout(folder).parameters().stream()
                    .map(parameter -> tensor(arena, parameter, random))
                    .toList();
            SafetensorsWriter.write(folder.resolve("model.safetensors"), tensors, Map.of("format", "pt"));
        }
    }

    private NamedTensor tensor(Arena arena, ParameterLayout.Parameter parameter, Random random) {
        MemorySegment bytes = arena.allocate(parameter.elements() * Short.BYTES, Long.BYTES);
        for (long i = 0; i < parameter.elements(); i++) {
            bytes.setAtIndex(ValueLayout.JAVA_SHORT, i, BFloat16.of(initial(parameter.name(), random)));
        }
        return new NamedTensor(parameter.name(), ElementType.BF16, parameter.shape(), bytes);
    }

    private float initial(String name, Random random) {
        if (name.endsWith("A_log")) {
            return (float) Math.log(random.nextDouble(SLOWEST_DECAY, FASTEST_DECAY));
        }
        if (name.endsWith("linear_attn.norm.weight")) {
            return 1;
        }
        if (name.endsWith("norm.weight")) {
            return architecture == Architecture.QWEN3_5 ? 0 : 1;
        }
        return (float) (random.nextGaussian() * INITIAL_DEVIATION);
    }
}
