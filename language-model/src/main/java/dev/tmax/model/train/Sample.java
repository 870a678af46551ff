package dev.tmax.model.train;

/**
 * What followed the prompt in one attempt: generated tokens and observations, in order.
 *
 * @param tokens token ids after the prompt, at least one
 * @param generated which of them the policy generated (and are trained); the others are context
 */
public record Sample(int[] tokens, boolean[] generated) {
    public Sample {
        if (tokens.length == 0) {
            throw new IllegalArgumentException("sample: no tokens; leave it out of the batch");
        }
        if (tokens.length != generated.length) {
            throw new IllegalArgumentException("sample: " + tokens.length + " tokens but a mask of " + generated.length
                    + "; give one flag a token");
        }
        tokens = tokens.clone();
        generated = generated.clone();
    }

    /** Tokens that the policy generated. */
    public int generatedTokens() {
        int count = 0;
        for (boolean flag : generated) {
            count += flag ? 1 : 0;
        }
        return count;
    }
}
