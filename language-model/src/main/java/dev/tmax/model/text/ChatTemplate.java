package dev.tmax.model.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.hubspot.jinjava.Jinjava;
import com.hubspot.jinjava.JinjavaConfig;
import com.hubspot.jinjava.interpret.RenderResult;
import dev.tmax.model.ModelFormatException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A model's Jinja chat template. Thread-safe. */
public final class ChatTemplate {
    /** Stands for the assistant's text; no template trims or quotes it. */
    private static final String MARK = "\u27E6assistant\u27E7";

    private final Path file;
    private final String source;
    private final Map<String, Object> specialTokens;
    private final Jinjava jinjava;

    private ChatTemplate(Path file, String source, Map<String, Object> specialTokens) {
        this.file = file;
        this.source = source;
        this.specialTokens = specialTokens;
        // As transformers sets up jinja2.
        jinjava = new Jinjava(JinjavaConfig.newBuilder()
                .withTrimBlocks(true)
                .withLstripBlocks(true)
                .withNestedInterpretationEnabled(false)
                .build());
    }

    /**
     * Reads {@code chat_template.jinja}, or {@code chat_template} in {@code tokenizer_config.json}.
     *
     * @throws ModelFormatException if there is none
     */
    public static ChatTemplate inFolder(Path folder) {
        Path configuration = folder.resolve("tokenizer_config.json");
        Path own = folder.resolve("chat_template.jinja");
        try {
            JsonNode json = Files.isRegularFile(configuration)
                    ? new ObjectMapper().readTree(Files.readString(configuration))
                    : new ObjectMapper().createObjectNode();
            Map<String, Object> special = new HashMap<>();
            for (String key : List.of("bos_token", "eos_token", "pad_token", "unk_token")) {
                if (json.hasNonNull(key)) {
                    special.put(
                            key,
                            json.get(key).path("content").asText(json.get(key).asText()));
                }
            }
            if (Files.isRegularFile(own)) {
                return new ChatTemplate(own, Files.readString(own), special);
            }
            if (json.path("chat_template").isTextual()) {
                return new ChatTemplate(configuration, json.get("chat_template").asText(), special);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new ModelFormatException(
                configuration, "chat_template: missing; use a model tuned for chat, or add chat_template.jinja");
    }

    /**
     * The text of a conversation.
     *
     * @param addGenerationPrompt whether to end with what begins an assistant turn
     * @throws ModelFormatException if the template fails on these messages
     */
    public String render(List<Message> messages, boolean addGenerationPrompt) {
        Map<String, Object> context = new HashMap<>(specialTokens);
        List<Map<String, String>> values = new ArrayList<>();
        messages.forEach(message -> values.add(Map.of("role", message.role(), "content", message.content())));
        context.put("messages", values);
        context.put("add_generation_prompt", addGenerationPrompt);
        RenderResult result = jinjava.renderForResult(source, context);
        if (result.hasErrors()) {
            throw new ModelFormatException(
                    file, "chat template: " + result.getErrors().getFirst().getMessage());
        }
        return result.getOutput();
    }

    /**
     * What stands between the end of a generated assistant turn and the start of the next: the end-of-turn mark, the
     * user turn with the observation, and the generation prompt. Appending its tokens continues a conversation without
     * encoding it anew.
     *
     * @param observation the next user turn's text
     */
    public String continuation(String observation) {
        String whole = render(List.of(Message.user("."), Message.assistant(MARK), Message.user(observation)), true);
        int mark = whole.indexOf(MARK);
        if (mark < 0) {
            throw new ModelFormatException(
                    file, "chat template: drops the assistant's text; cannot hold a conversation");
        }
        return whole.substring(mark + MARK.length());
    }

    /**
     * Tokens of {@link #continuation} for a conversation that ends with a generated turn. If the policy itself wrote the
     * end-of-turn token, it is not appended a second time.
     *
     * @param lastGenerated the last token of the generated turn
     */
    public int[] continuation(Tokenizer tokenizer, int lastGenerated, String observation) {
        int[] tokens = tokenizer.encode(continuation(observation));
        boolean ended = tokens.length > 0
                && tokens[0] == lastGenerated
                && tokenizer.endOfSequence().contains(lastGenerated);
        return ended ? Arrays.copyOfRange(tokens, 1, tokens.length) : tokens;
    }
}
