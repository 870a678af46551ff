package dev.tmax.model;

/** How rotary frequencies are stretched beyond the positions a model was pretrained on. */
public sealed interface RopeScaling {
    /** The frequency to use in place of {@code frequency}, in radians a position. */
    double scale(double frequency);

    /** Frequencies as they are. */
    record None() implements RopeScaling {
        @Override
        public double scale(double frequency) {
            return frequency;
        }
    }

    /** All frequencies divided by a factor. */
    record Linear(double factor) implements RopeScaling {
        @Override
        public double scale(double frequency) {
            return frequency / factor;
        }
    }

    /**
     * Llama 3: low frequencies divided by a factor, high ones kept, a ramp between.
     *
     * @param originalPositions positions of pretraining
     */
    record Llama3(double factor, double lowFrequencyFactor, double highFrequencyFactor, int originalPositions)
            implements RopeScaling {
        @Override
        public double scale(double frequency) {
            double turns = originalPositions * frequency / (2 * Math.PI);
            if (turns > highFrequencyFactor) {
                return frequency;
            }
            if (turns < lowFrequencyFactor) {
                return frequency / factor;
            }
            double kept = (turns - lowFrequencyFactor) / (highFrequencyFactor - lowFrequencyFactor);
            return (1 - kept) * frequency / factor + kept * frequency;
        }
    }
}
