package dev.tmax.model.decode;

/**
 * The tokens a sequence begins with. Sequences with equal prompts (the samples of a group) share its computation.
 *
 * @param tokens at least one token id
 */
public record Prompt(int[] tokens) {
    public Prompt {
        if (tokens.length == 0) {
            throw new IllegalArgumentException("prompt: empty; give at least one token");
        }
        tokens = tokens.clone();
    }
}
