package dev.tmax.model.decode;

/**
 * Counts since the engine was opened, and its present load.
 *
 * @param generatedTokens tokens sampled
 * @param prefillTokens prompt and observation tokens computed
 * @param reusedTokens prompt tokens taken from a prefix cache instead of being computed
 * @param prefixHits sequences started from a prefix cache
 * @param steps decode steps with at least one active sequence
 * @param active sequences decoding or about to
 * @param queued active ones that wait for room in the caches
 * @param held sequences in a slot, waiting ones included
 * @param slots slots of the engine
 * @param prefixCacheBytes bytes of prompt caches kept
 * @param cacheBytes bytes of the caches of sequences and prompts together
 * @param evictions sequences whose cache was given up between two turns, to be computed again
 */
public record DecodeStatistics(
        long generatedTokens,
        long prefillTokens,
        long reusedTokens,
        long prefixHits,
        long steps,
        int active,
        int queued,
        int held,
        int slots,
        long prefixCacheBytes,
        long cacheBytes,
        long evictions) {
    /** Mean number of sequences in a step. */
    public double occupancy() {
        return steps == 0 ? 0 : (double) generatedTokens / steps;
    }
}
