package dev.tmax.model.train;

/**
 * Settings of the optimizer (Loshchilov and Hutter, Decoupled Weight Decay Regularization).
 *
 * @param beta1 decay of the first moment
 * @param beta2 decay of the second moment
 * @param epsilon added to the root of the second moment
 * @param weightDecay decoupled decay, times the learning rate
 */
public record AdamW(double beta1, double beta2, double epsilon, double weightDecay) {
    public AdamW {
        requireFraction("beta1", beta1);
        requireFraction("beta2", beta2);
        if (!(epsilon > 0)) {
            throw new IllegalArgumentException("epsilon: " + epsilon + "; give a number above 0");
        }
        if (!(weightDecay >= 0)) {
            throw new IllegalArgumentException("weightDecay: " + weightDecay + "; give 0 or more");
        }
    }

    private static void requireFraction(String name, double value) {
        if (!(value >= 0 && value < 1)) {
            throw new IllegalArgumentException(name + ": " + value + "; give a number from 0, below 1");
        }
    }

    /** The recipe's: betas 0.9 and 0.95, epsilon 1e-8, no decay. */
    public static AdamW recipe() {
        return new AdamW(0.9, 0.95, 1e-8, 0);
    }
}
