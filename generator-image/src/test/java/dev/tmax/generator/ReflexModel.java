package dev.tmax.generator;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tmax.model.ModelFolder;
import dev.tmax.model.ParameterLayout;
import dev.tmax.model.weights.ElementType;
import dev.tmax.model.weights.NamedTensor;
import dev.tmax.model.weights.SafetensorsWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A real Llama whose weights make it answer by reflex: each token has one successor, with probability 1, and the end of
 * turn is everybody else's. Its tokens are the 256 bytes and whatever words it is given.
 */
final class ReflexModel {

    static final String END = "<|end|>";

    private static final List<String> SPECIAL = List.of(END, "<|system|>", "<|user|>", "<|assistant|>");
    private static final float CERTAIN = 8;

    private final Path folder;
    private final Map<String, Integer> tokens = new LinkedHashMap<>();
    private final List<String> words;
    private final ParameterLayout layout;

    private ReflexModel(Path folder, List<String> words, Map<String, String> reflexes) throws IOException {
        this.folder = folder;
        this.words = words;
        // The tokenizer numbers added tokens after those of its vocabulary, in their order.
        for (int b = 0; b < 256; b++) {
            addToken(byteLevel(b));
        }
        words.forEach(this::addToken);
        SPECIAL.forEach(this::addToken);
        Files.writeString(folder.resolve("config.json"), configuration());
        Files.writeString(folder.resolve("tokenizer.json"), tokenizer());
        Files.writeString(folder.resolve("tokenizer_config.json"), "{\"eos_token\": \"%s\"}".formatted(END));
        Files.writeString(
                folder.resolve("chat_template.jinja"),
                "{% for message in messages %}<|{{ message.role }}|>{{ message.content }}{% endfor %}");
        this.layout = ModelFolder.layout(folder);
        write(reflexes);
    }

    private void addToken(String token) {
        tokens.put(token, tokens.size());
    }

    /**
     * Writes a model folder.
     *
     * @param words tokens beside the single bytes
     * @param reflexes each token's successor
     */
    static ReflexModel in(Path folder, List<String> words, Map<String, String> reflexes) throws IOException {
        return new ReflexModel(Files.createDirectories(folder), words, reflexes);
    }

    Path folder() {
        return folder;
    }

    int token(String text) {
        return tokens.get(text);
    }

    private void write(Map<String, String> reflexes) {
        byte[] state = state(reflexes);
        List<NamedTensor> tensors = new ArrayList<>();
        for (ParameterLayout.Parameter parameter : layout.parameters()) {
            tensors.add(new NamedTensor(
                    parameter.name(),
                    ElementType.BF16,
                    parameter.shape(),
                    MemorySegment.ofArray(state).asSlice(2 * parameter.offset(), 2 * parameter.elements())));
        }
        SafetensorsWriter.write(folder.resolve("model.safetensors"), tensors, Map.of("format", "pt"));
    }

    ParameterLayout layout() {
        return layout;
    }

    /** The flat bfloat16 state of a model with these reflexes. */
    byte[] state(Map<String, String> reflexes) {
        ByteBuffer state = ByteBuffer.allocate((int) (2 * layout.elements())).order(ByteOrder.LITTLE_ENDIAN);
        int size = tokens.size();
        int hidden = hiddenSize();
        for (ParameterLayout.Parameter parameter : layout.parameters()) {
            if (parameter.name().equals(ParameterLayout.EMBEDDING)) {
                for (int token = 0; token < size; token++) {
                    put(state, parameter.offset() + (long) token * hidden + token, 1);
                }
            } else if (parameter.name().equals(ParameterLayout.HEAD)) {
                tokens.forEach((text, token) -> {
                    int next = tokens.get(reflexes.getOrDefault(text, END));
                    put(state, parameter.offset() + (long) next * hidden + token, CERTAIN);
                });
            } else if (parameter.name().endsWith("norm.weight")) {
                for (long i = 0; i < parameter.elements(); i++) {
                    put(state, parameter.offset() + i, 1);
                }
            }
        }
        return state.array();
    }

    private static void put(ByteBuffer state, long element, float value) {
        state.putShort((int) (2 * element), (short) (Float.floatToIntBits(value) >>> 16));
    }

    private int hiddenSize() {
        return (tokens.size() + 7) / 8 * 8;
    }

    private String configuration() {
        return """
                {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": %d, "intermediate_size": 16,
                 "num_hidden_layers": 1, "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 8,
                 "vocab_size": %d, "max_position_embeddings": 8192, "rms_norm_eps": 1e-05, "rope_theta": 10000.0,
                 "tie_word_embeddings": false, "eos_token_id": %d, "hidden_act": "silu"}
                """.formatted(hiddenSize(), tokens.size(), token(END));
    }

    private String tokenizer() {
        ObjectNode json = new ObjectMapper().createObjectNode();
        json.put("version", "1.0");
        for (String token : words) {
            added(json, token, false);
        }
        SPECIAL.forEach(token -> added(json, token, true));
        json.putObject("pre_tokenizer")
                .put("type", "ByteLevel")
                .put("add_prefix_space", false)
                .put("trim_offsets", true)
                .put("use_regex", false);
        json.putObject("decoder")
                .put("type", "ByteLevel")
                .put("add_prefix_space", false)
                .put("trim_offsets", true)
                .put("use_regex", false);
        ObjectNode model = json.putObject("model").put("type", "BPE");
        ObjectNode vocabulary = model.putObject("vocab");
        for (int b = 0; b < 256; b++) {
            vocabulary.put(byteLevel(b), tokens.get(byteLevel(b)));
        }
        model.putArray("merges");
        return json.toString();
    }

    private void added(ObjectNode json, String token, boolean special) {
        json.withArray("added_tokens")
                .addObject()
                .put("id", tokens.get(token))
                .put("content", token)
                .put("single_word", false)
                .put("lstrip", false)
                .put("rstrip", false)
                .put("normalized", false)
                .put("special", special);
    }

    /** How byte-level vocabularies spell a byte: itself where it is printable, else a letter from 256 on. */
    private static String byteLevel(int b) {
        if (printable(b)) {
            return String.valueOf((char) b);
        }
        int before = 0;
        for (int other = 0; other < b; other++) {
            before += printable(other) ? 0 : 1;
        }
        return String.valueOf((char) (256 + before));
    }

    private static boolean printable(int b) {
        return b >= '!' && b <= '~' || b >= 0xA1 && b <= 0xAC || b >= 0xAE;
    }
}
