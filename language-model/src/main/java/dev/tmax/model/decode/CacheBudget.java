package dev.tmax.model.decode;

import dev.tmax.model.LayerType;
import dev.tmax.model.ModelConfiguration;
import dev.tmax.model.Precision;
import dev.tmax.model.program.AttentionWindow;

/**
 * What caches may cost. A row holds one sequence; all rows have the same positions, so that a step reads views. Layers
 * are enlarged one after another, and a row's bytes include its share of the layer that then exists twice.
 *
 * @param bytes most bytes of rows and prompts together
 * @param promptBytes most bytes of prompts
 * @param tokenBytes keys and values of one token
 * @param stateBytes what delta-net layers keep of one sequence
 */
record CacheBudget(
        long bytes,
        long promptBytes,
        long tokenBytes,
        long stateBytes,
        int attentionLayers,
        int deltaNetLayers,
        int slots,
        int maxContextTokens) {
    private static final int INITIAL_POSITIONS = 256;

    /** Prompts get at most one part of so many, or no room would be left for sequences between turns. */
    private static final int PROMPT_SHARE = 4;

    static CacheBudget of(ModelConfiguration model, DecodeOptions options) {
        int elementBytes = options.compute() == Precision.BF16 ? Short.BYTES : Float.BYTES;
        return new CacheBudget(
                options.cacheBytes(),
                Math.min(options.prefixCacheBytes(), options.cacheBytes() / PROMPT_SHARE),
                model.cacheBytesPerToken(elementBytes),
                model.stateBytesPerSequence(elementBytes),
                model.layers(LayerType.ATTENTION),
                model.layers(LayerType.DELTA_NET),
                options.slots(),
                options.maxContextTokens());
    }

    /** Bytes of a row with room for that many tokens. */
    long rowBytes(int tokens) {
        long keyValues = tokenBytes * AttentionWindow.of(tokens);
        long layer = Math.max(keyValues / Math.max(1, attentionLayers), stateBytes / Math.max(1, deltaNetLayers));
        return keyValues + stateBytes + layer;
    }

    /** Bytes of a kept prompt of that many tokens. */
    long promptBytes(int tokens) {
        return tokenBytes * tokens + stateBytes;
    }

    /** Rows of that many tokens that fit if no prompt is kept; at most the slots. */
    int rows(int tokens) {
        return rowsWithin(bytes, tokens);
    }

    /** Rows of that many tokens that fit beside the most prompts that may be kept. */
    int rowsBesidePrompts(int tokens) {
        return rowsWithin(bytes - promptBytes, tokens);
    }

    private int rowsWithin(long available, int tokens) {
        return (int) Math.min(slots, available / rowBytes(tokens));
    }

    /** Bytes that rows leave for prompts. */
    long promptBytesBeside(int rows, int tokens) {
        return Math.min(promptBytes, bytes - rows * rowBytes(tokens));
    }

    /** Positions to grow to, from those there are, for that many tokens: seldom, and not far beyond the need. */
    int roomierPositions(int positions, int tokens) {
        int doubled = Math.max(INITIAL_POSITIONS, 2 * positions);
        return AttentionWindow.of(Math.min(maxContextTokens, Math.max(tokens, doubled)));
    }

    /**
     * Checks that a sequence fits while no other has a row.
     *
     * @throws IllegalArgumentException if it does not
     */
    void requireRoomFor(String what, int tokens) {
        long needed = rowBytes(tokens);
        if (needed > bytes) {
            throw new IllegalArgumentException(what + ": " + tokens + " tokens need " + needed
                    + " bytes of caches, and cacheBytes allows " + bytes + "; give at least " + needed
                    + ", or fewer new tokens or a smaller maxContextTokens");
        }
    }
}
