package dev.tmax.model.train;

import java.util.List;

/**
 * One group: a prompt, and what its samples continued it with. The engine packs it in one row of
 * {@code prompt + Σ samples} tokens where every sample sees the prompt and itself only, so the prompt is computed once.
 *
 * <p>Per-token values of a group ({@link ForwardResult}, coefficients) hold generated tokens only: the first sample's in
 * order, then the second's, and so on.
 *
 * @param prompt at least one token id
 * @param samples at least one
 */
public record MicroBatch(int[] prompt, List<Sample> samples) {
    public MicroBatch {
        if (prompt.length == 0) {
            throw new IllegalArgumentException("prompt: empty; give at least one token");
        }
        if (samples.isEmpty()) {
            throw new IllegalArgumentException("samples: none; give at least one");
        }
        prompt = prompt.clone();
        samples = List.copyOf(samples);
    }

    /** Tokens of the packed row. */
    public int tokens() {
        return prompt.length
                + samples.stream().mapToInt(sample -> sample.tokens().length).sum();
    }

    /** Generated tokens of all samples. */
    public int generatedTokens() {
        return samples.stream().mapToInt(Sample::generatedTokens).sum();
    }

    /** Where a sample's values begin in the per-token arrays. */
    public int offset(int sample) {
        return samples.subList(0, sample).stream()
                .mapToInt(Sample::generatedTokens)
                .sum();
    }
}
