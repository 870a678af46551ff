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

/**
 * The model's side of text and tokens. What the policy said is only ever read, never encoded again: tokens that it did
 * not sample would break the comparison of its probabilities.
 */
public final class Dialogue {

    private final Tokenizer tokenizer;
    private final ChatTemplate template;
    private final Optional<String> systemPrompt;

    /**
     * @param systemPrompt first message of every conversation; empty for the template's own. It comes from whoever set up
     *     the run and may spell out special tokens, to show example turns
     */
    public Dialogue(ModelFolder model, Optional<String> systemPrompt) {
        this.tokenizer = model.tokenizer();
        this.template = model.chatTemplate();
        this.systemPrompt = systemPrompt;
    }

    /**
     * System prompt and instruction, up to where the assistant's first turn begins. The instruction comes with the task
     * set, so special tokens in it are broken apart.
     */
    int[] prompt(String instruction) {
        List<Message> messages = new ArrayList<>();
        systemPrompt.ifPresent(text -> messages.add(Message.system(text.strip())));
        messages.add(Message.user(tokenizer.withoutSpecialTokens(instruction.strip())));
        return tokenizer.encode(template.render(messages, true));
    }

    /** From the end of a turn to the beginning of the next: the end of turn where it was not said, and the observation. */
    int[] continuation(SampledTurn turn, String observation) {
        return template.continuation(tokenizer, turn.lastToken(), tokenizer.withoutSpecialTokens(observation));
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
