package dev.tmax.generator.episode;

import dev.tmax.generator.decode.SampledTurn;
import dev.tmax.model.ModelFolder;
import dev.tmax.model.decode.StopReason;
import dev.tmax.model.text.ChatTemplate;
import dev.tmax.model.text.Message;
import dev.tmax.model.text.Tokenizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The model's side of text and tokens. What the policy said is only ever read, never encoded again: tokens that it did
 * not sample would break the comparison of its probabilities.
 */
public final class Dialogue {

    private static final Pattern SPECIAL = Pattern.compile("<(?=[^<>\\s]{1,62}>)");

    private final Tokenizer tokenizer;
    private final ChatTemplate template;
    private final Optional<String> systemPrompt;

    /** @param systemPrompt first message of every conversation; empty for the template's own */
    public Dialogue(ModelFolder model, Optional<String> systemPrompt) {
        this.tokenizer = model.tokenizer();
        this.template = model.chatTemplate();
        this.systemPrompt = systemPrompt;
    }

    /** System prompt and instruction, up to where the assistant's first turn begins. */
    int[] prompt(String instruction) {
        List<Message> messages = new ArrayList<>();
        systemPrompt.ifPresent(text -> messages.add(Message.system(text.strip())));
        messages.add(Message.user(instruction.strip()));
        return tokenizer.encode(template.render(messages, true));
    }

    /** From the end of a turn to the beginning of the next: the end of turn where it was not said, and the observation. */
    int[] continuation(SampledTurn turn, String observation) {
        return template.continuation(tokenizer, turn.lastToken(), harmless(observation));
    }

    /** A command's output must not be able to end the user's turn and speak as somebody else. */
    private String harmless(String observation) {
        Matcher matcher = SPECIAL.matcher(observation);
        return matcher.replaceAll(found -> {
            String rest = observation.substring(found.start(), observation.indexOf('>', found.start()) + 1);
            return tokenizer.specialToken(rest).isPresent() ? "< " : "<";
        });
    }

    /** What was said, without the token that ended the turn. */
    String said(SampledTurn turn) {
        int[] tokens = turn.stop() == StopReason.STOP_TOKEN
                ? Arrays.copyOf(turn.tokens(), turn.tokens().length - 1)
                : turn.tokens();
        return tokenizer.decode(tokens);
    }

    /** For people. */
    String text(int[] tokens) {
        return tokenizer.decode(tokens);
    }

    Set<Integer> endOfTurn() {
        return tokenizer.endOfSequence();
    }
}
