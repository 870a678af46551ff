package dev.tmax.model.text;

import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tmax.model.ModelFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Text to token ids and back, as {@code tokenizer.json} says. Thread-safe. */
public final class Tokenizer {
    private final HuggingFaceTokenizer tokenizer;
    private final Map<String, Integer> specialTokens;
    private final Set<Integer> endOfSequence;
    /** Finds special tokens that are spelled out. */
    private final Pattern spelledOut;

    private Tokenizer(
            HuggingFaceTokenizer tokenizer,
            Map<String, Integer> specialTokens,
            Set<String> markers,
            Set<Integer> endOfSequence) {
        this.tokenizer = tokenizer;
        this.specialTokens = specialTokens;
        this.endOfSequence = endOfSequence;
        // Longer ones first, as one may be the beginning of another. One character cannot be broken apart.
        String alternatives = markers.stream()
                .filter(token -> token.length() > 1 && !token.isBlank())
                .sorted(Comparator.comparingInt(String::length).reversed())
                .map(Pattern::quote)
                .collect(Collectors.joining("|"));
        spelledOut = Pattern.compile(alternatives.isEmpty() ? "(?!)" : alternatives);
    }

    /**
     * Reads {@code tokenizer.json} and, from the files beside it, which tokens end a sequence.
     *
     * @throws ModelFormatException if it is no tokenizer
     */
    public static Tokenizer read(Path file) {
        try {
            JsonNode json = new ObjectMapper().readTree(Files.readString(file));
            Map<String, Integer> special = new LinkedHashMap<>();
            Set<String> markers = new HashSet<>();
            for (JsonNode token : json.path("added_tokens")) {
                String content = token.path("content").asText();
                special.put(content, token.path("id").asInt());
                // Some that models take as marks, such as <tool_call>, are not declared special; words are no marks.
                if (token.path("special").asBoolean() || content.matches("<\\S+>")) {
                    markers.add(content);
                }
            }
            HuggingFaceTokenizer tokenizer = HuggingFaceTokenizer.builder()
                    .optTokenizerPath(file)
                    .optAddSpecialTokens(false)
                    .optTruncation(false)
                    .optPadding(false)
                    .build();
            return new Tokenizer(
                    tokenizer,
                    special,
                    markers,
                    endOfSequence(file.toAbsolutePath().getParent(), special));
        } catch (IOException | RuntimeException e) {
            throw new ModelFormatException(
                    file, "not a tokenizer: " + e.getMessage() + "; copy or download it again", e);
        }
    }

    private static Set<Integer> endOfSequence(Path folder, Map<String, Integer> special) throws IOException {
        Set<Integer> ids = new TreeSet<>();
        for (String name : new String[] {"config.json", "generation_config.json"}) {
            JsonNode id = json(folder.resolve(name)).path("eos_token_id");
            if (id.isInt()) {
                ids.add(id.asInt());
            }
            id.forEach(one -> ids.add(one.asInt()));
        }
        JsonNode token = json(folder.resolve("tokenizer_config.json")).path("eos_token");
        Integer id = special.get(token.path("content").asText(token.asText("")));
        if (id != null) {
            ids.add(id);
        }
        return ids;
    }

    private static JsonNode json(Path file) throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        return Files.isRegularFile(file) ? mapper.readTree(Files.readString(file)) : mapper.createObjectNode();
    }

    /** Token ids of a text. Special tokens are recognised where they are spelled out; none is added. */
    public int[] encode(String text) {
        return Arrays.stream(tokenizer.encode(text, false, false).getIds())
                .mapToInt(Math::toIntExact)
                .toArray();
    }

    /**
     * Text in which no special token is spelled out any more: a space stands after the first character of each. What
     * comes from outside (a task's instruction, a command's output) must not be able to end its turn and speak as somebody
     * else.
     */
    public String withoutSpecialTokens(String text) {
        return spelledOut
                .matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(
                        found.group().charAt(0) + " " + found.group().substring(1)));
    }

    /** The text of token ids, special tokens spelled out. Incomplete characters become U+FFFD. */
    public String decode(int[] tokens) {
        return tokenizer.decode(Arrays.stream(tokens).asLongStream().toArray(), false);
    }

    /** A decoder for tokens that come one at a time. */
    public Detokenizer detokenizer() {
        return new Detokenizer(this);
    }

    /** Ids that end a sequence or an assistant turn, by the model's files. */
    public Set<Integer> endOfSequence() {
        return endOfSequence;
    }

    /** The id of a special token, such as {@code <|im_end|>}. */
    public OptionalInt specialToken(String content) {
        Integer id = specialTokens.get(content);
        return id == null ? OptionalInt.empty() : OptionalInt.of(id);
    }
}
