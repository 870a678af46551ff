package dev.tmax.model.text;

import java.util.Arrays;

/**
 * Text of tokens that come one at a time. A character whose bytes are spread over tokens comes out with its last one.
 * Not thread-safe.
 */
public final class Detokenizer {
    private static final String INCOMPLETE = "\uFFFD";
    /** No character has more bytes; a run of this many undecodable tokens is really undecodable. */
    private static final int LONGEST_CHARACTER = 4;

    private final Tokenizer tokenizer;
    private int[] tokens = new int[16];
    private int count;
    /** Tokens from here on are decoded together, so that spaces at joints come out as in one piece. */
    private int contextStart;
    /** Tokens before this one have been emitted. */
    private int emitted;

    Detokenizer(Tokenizer tokenizer) {
        this.tokenizer = tokenizer;
    }

    /** Adds a token; returns the text it completes, which may be empty. */
    public String add(int token) {
        if (count == tokens.length) {
            tokens = Arrays.copyOf(tokens, 2 * count);
        }
        tokens[count++] = token;
        String before = decode(contextStart, emitted);
        String after = decode(contextStart, count);
        boolean complete = !after.endsWith(INCOMPLETE) || count - emitted >= LONGEST_CHARACTER;
        if (!complete || after.length() <= before.length()) {
            return "";
        }
        contextStart = emitted;
        emitted = count;
        return after.substring(before.length());
    }

    private String decode(int from, int to) {
        return from == to ? "" : tokenizer.decode(Arrays.copyOfRange(tokens, from, to));
    }
}
