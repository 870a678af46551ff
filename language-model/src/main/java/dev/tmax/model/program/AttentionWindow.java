package dev.tmax.model.program;

/**
 * How many keys a query attends over, the masked ones included: the context rounded up. oneDNN compiles and keeps a
 * kernel for every length it meets; and where decoding and training lay out the same keys in the same window, their sums
 * run in the same order and their results are equal to the bit.
 */
public final class AttentionWindow {
    private static final int STEP = 32;

    private AttentionWindow() {}

    /** Keys of a window that holds that many tokens. */
    public static int of(int tokens) {
        return Math.ceilDiv(tokens, STEP) * STEP;
    }
}
