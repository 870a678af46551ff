package dev.tmax.model.openai;

import dev.tmax.model.decode.SequenceEvent;
import dev.tmax.model.decode.StopReason;
import dev.tmax.model.text.Tokenizer;
import java.util.ArrayList;
import java.util.List;

/** One choice of a response, read from its generation by one thread. */
final class Answer {
    /**
     * What one token added.
     *
     * @param text certain to belong to the answer; may be empty
     * @param scores of the tokens since the last piece, if asked for
     * @param finishReason {@code stop} or {@code length}; null before the end
     */
    record Piece(String text, List<Format.ScoredToken> scores, String finishReason) {}

    private final int index;
    private final Generation generation;
    private final Tokenizer tokenizer;
    private final AnswerText text;
    private final boolean scored;
    private int tokens;
    private boolean ended;

    Answer(int index, Generation generation, Tokenizer tokenizer, CompletionRequest request) {
        this.index = index;
        this.generation = generation;
        this.tokenizer = tokenizer;
        text = new AnswerText(tokenizer.detokenizer(), request.stop());
        scored = request.logProbabilities();
    }

    int index() {
        return index;
    }

    Generation generation() {
        return generation;
    }

    /** Tokens so far, the one that ended it included. */
    int tokens() {
        return tokens;
    }

    boolean ended() {
        return ended;
    }

    /** Waits for the next token or the end. */
    Piece next() throws InterruptedException {
        switch (generation.next()) {
            case SequenceEvent.Token token -> {
                tokens++;
                if (tokenizer.endOfSequence().contains(token.token())) {
                    return new Piece("", List.of(), null);
                }
                List<Format.ScoredToken> scores = new ArrayList<>();
                if (scored) {
                    String spelled = tokenizer.decode(new int[] {token.token()});
                    scores.add(new Format.ScoredToken(spelled, token.logProbability()));
                }
                return new Piece(text.add(token.token()), scores, null);
            }
            case SequenceEvent.Stopped stopped -> {
                ended = true;
                String rest = text.rest(stopped.reason() == StopReason.STOP_STRING);
                return new Piece(rest, List.of(), finishReason(stopped.reason()));
            }
        }
    }

    private static String finishReason(StopReason reason) {
        return switch (reason) {
            case STOP_STRING, STOP_TOKEN -> "stop";
            case LIMIT, CONTEXT -> "length";
        };
    }
}
