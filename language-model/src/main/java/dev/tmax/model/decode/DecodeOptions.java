package dev.tmax.model.decode;

import dev.tmax.model.ModelConfiguration;
import dev.tmax.model.Precision;

/**
 * How a {@link DecodeEngine} is laid out.
 *
 * @param slots most sequences held at once, decoding or waiting to be resumed
 * @param maxContextTokens most tokens of one sequence, prompt included; at most the model's positions
 * @param compute number format of the layers
 * @param floatHead whether the language-model head computes in float32 (as the learner's does) rather than in
 *     {@code compute}
 * @param threads threads of one tensor operation
 * @param prefixCacheBytes most bytes of prompt caches kept for reuse by later sequences; never more than a quarter of
 *     {@code cacheBytes}
 * @param cacheBytes most bytes of everything that is kept of sequences: keys and values, states of delta nets, prompts.
 *     Weights and what a step computes come on top. Where it is short, turns wait for others to end, and sequences
 *     between turns are computed again when they go on
 */
public record DecodeOptions(
        int slots,
        int maxContextTokens,
        Precision compute,
        boolean floatHead,
        int threads,
        long prefixCacheBytes,
        long cacheBytes) {
    /** As many bytes of caches as the slots can fill. */
    public static final long UNBOUNDED = Long.MAX_VALUE;

    private static final long DEFAULT_PREFIX_CACHE_BYTES = 256L << 20;

    public DecodeOptions {
        if (slots < 1) {
            throw new IllegalArgumentException("slots: " + slots + "; give at least 1");
        }
        if (maxContextTokens < 2) {
            throw new IllegalArgumentException("maxContextTokens: " + maxContextTokens + "; give at least 2");
        }
        if (threads < 1) {
            throw new IllegalArgumentException("threads: " + threads + "; give at least 1");
        }
        if (cacheBytes < 1) {
            throw new IllegalArgumentException(
                    "cacheBytes: " + cacheBytes + "; give at least the bytes of one sequence");
        }
    }

    /** With 256 MiB for prompt caches, and no bound for all caches together. */
    public DecodeOptions(int slots, int maxContextTokens, Precision compute, boolean floatHead, int threads) {
        this(slots, maxContextTokens, compute, floatHead, threads, DEFAULT_PREFIX_CACHE_BYTES, UNBOUNDED);
    }

    /** The same with a bound for all caches together. */
    public DecodeOptions withCacheBytes(long bytes) {
        return new DecodeOptions(slots, maxContextTokens, compute, floatHead, threads, prefixCacheBytes, bytes);
    }

    /** Bytes of caches that one sequence of the whole context takes, which {@code cacheBytes} should at least be. */
    public long sequenceBytes(ModelConfiguration model) {
        return CacheBudget.of(model, this).rowBytes(maxContextTokens);
    }
}
