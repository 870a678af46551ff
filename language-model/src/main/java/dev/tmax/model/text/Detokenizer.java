package dev.tmax.model.text;

import java.util.Arrays;

/**
 * Text of tokens that come one at a time. A character whose bytes are spread over tokens comes out with its last one;
 * bytes that are no text come out as U+FFFD once another token shows it. Not thread-safe.
 */
public final class Detokenizer {
    private static final String INCOMPLETE = "\uFFFD";

    private final Tokenizer tokenizer;
    private int[] tokens = new int[16];
    private int count;
    /** Tokens from here on are decoded together; some are kept that are out already, for decoders that look back. */
    private int contextStart;
    /** Where the last whole character ended. */
    private int boundary;
    /** Characters of the context's text that are out. */
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
        String text = context();
        boolean whole = !text.endsWith(INCOMPLETE);
        // An unfinished character decodes to one replacement character at the end.
        String certain = whole ? text : text.substring(0, text.length() - 1);
        String piece = certain.length() > emitted ? certain.substring(emitted) : "";
        emitted = Math.max(emitted, certain.length());
        if (whole) {
            contextStart = boundary;
            boundary = count;
            emitted = context().length();
        }
        return piece;
    }

    private String context() {
        return tokenizer.decode(Arrays.copyOfRange(tokens, contextStart, count));
    }
}
