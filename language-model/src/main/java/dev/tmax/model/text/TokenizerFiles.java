package dev.tmax.model.text;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A byte-level BPE tokenizer, to be written as {@code tokenizer.json} and {@code tokenizer_config.json}.
 *
 * @param tokens token texts by id, bytes spelled in the byte-level alphabet
 * @param merges pairs joined by a space, in order of rank
 * @param special tokens that text is never split into: control tokens and tokens defined by the user
 * @param splitting how text is cut before merging
 * @param begin text of the beginning-of-sequence token
 * @param end text of the end-of-sequence token
 * @param padding text of the padding token
 * @param chatTemplate Jinja source
 */
public record TokenizerFiles(
        List<String> tokens,
        List<String> merges,
        List<Special> special,
        Splitting splitting,
        Optional<String> begin,
        Optional<String> end,
        Optional<String> padding,
        Optional<String> chatTemplate) {

    /**
     * A token outside of BPE.
     *
     * @param control whether decoding for people leaves it out
     */
    public record Special(int id, boolean control) {}

    /** Pre-tokenizers, by the name that GGUF files give them. */
    public enum Splitting {
        /** Each digit alone, then the byte-level pattern of GPT-2. */
        SMOLLM,
        /** Qwen2's pattern; text is brought to NFC first. */
        QWEN2
    }

    private static final String QWEN2_PATTERN =
            "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*"
                    + "|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

    /** Writes both files into a folder. */
    public void write(Path folder) {
        ObjectMapper mapper = new ObjectMapper();
        try {
            Files.writeString(
                    folder.resolve("tokenizer.json"),
                    mapper.writerWithDefaultPrettyPrinter().writeValueAsString(tokenizer(mapper)));
            Files.writeString(
                    folder.resolve("tokenizer_config.json"),
                    mapper.writerWithDefaultPrettyPrinter().writeValueAsString(configuration(mapper)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ObjectNode tokenizer(ObjectMapper mapper) {
        ObjectNode json = mapper.createObjectNode();
        json.put("version", "1.0").putNull("truncation").putNull("padding");
        ArrayNode added = json.putArray("added_tokens");
        for (Special token : special) {
            added.addObject()
                    .put("id", token.id)
                    .put("content", tokens.get(token.id))
                    .put("single_word", false)
                    .put("lstrip", false)
                    .put("rstrip", false)
                    .put("normalized", false)
                    .put("special", token.control);
        }
        if (splitting == Splitting.QWEN2) {
            json.putObject("normalizer").put("type", "NFC");
        } else {
            json.putNull("normalizer");
        }
        json.set("pre_tokenizer", preTokenizer(mapper));
        json.putNull("post_processor");
        json.set("decoder", byteLevel(mapper, true));
        json.set("model", model(mapper));
        return json;
    }

    private ObjectNode preTokenizer(ObjectMapper mapper) {
        ObjectNode sequence = mapper.createObjectNode().put("type", "Sequence");
        ArrayNode steps = sequence.putArray("pretokenizers");
        switch (splitting) {
            case SMOLLM -> {
                steps.addObject().put("type", "Digits").put("individual_digits", true);
                steps.add(byteLevel(mapper, true));
            }
            case QWEN2 -> {
                ObjectNode split = steps.addObject().put("type", "Split");
                split.putObject("pattern").put("Regex", QWEN2_PATTERN);
                split.put("behavior", "Isolated").put("invert", false);
                steps.add(byteLevel(mapper, false));
            }
        }
        return sequence;
    }

    private static ObjectNode byteLevel(ObjectMapper mapper, boolean pattern) {
        return mapper.createObjectNode()
                .put("type", "ByteLevel")
                .put("add_prefix_space", false)
                .put("trim_offsets", true)
                .put("use_regex", pattern);
    }

    private ObjectNode model(ObjectMapper mapper) {
        ObjectNode model = mapper.createObjectNode().put("type", "BPE");
        model.putNull("dropout")
                .putNull("unk_token")
                .putNull("continuing_subword_prefix")
                .putNull("end_of_word_suffix");
        model.put("fuse_unk", false).put("byte_fallback", false).put("ignore_merges", false);
        ObjectNode vocabulary = model.putObject("vocab");
        for (int id = 0; id < tokens.size(); id++) {
            vocabulary.put(tokens.get(id), id);
        }
        ArrayNode pairs = model.putArray("merges");
        merges.forEach(pairs::add);
        return model;
    }

    private ObjectNode configuration(ObjectMapper mapper) {
        ObjectNode json = mapper.createObjectNode();
        json.put("tokenizer_class", "PreTrainedTokenizerFast").put("clean_up_tokenization_spaces", false);
        begin.ifPresent(token -> json.put("bos_token", token));
        end.ifPresent(token -> json.put("eos_token", token));
        padding.ifPresent(token -> json.put("pad_token", token));
        chatTemplate.ifPresent(template -> json.put("chat_template", template));
        return json;
    }
}
