package dev.tmax.model;

/**
 * How rotary frequencies are stretched beyond the positions a model was pretrained on. The formulas are those of
 * transformers' {@code modeling_rope_utils}.
 */
public sealed interface RopeScaling {
    /**
     * Frequency of each pair, in radians a position: {@code [size / 2]}.
     *
     * @param theta base of the frequencies
     * @param size elements of a head that are turned
     */
    default double[] frequencies(double theta, int size) {
        double[] frequencies = new double[size / 2];
        for (int pair = 0; pair < frequencies.length; pair++) {
            frequencies[pair] = scale(Math.pow(theta, -2.0 * pair / size), pair, theta, size);
        }
        return frequencies;
    }

    /** The frequency to use in place of {@code frequency}, which is that of a pair. */
    double scale(double frequency, int pair, double theta, int size);

    /** Multiplies cosines and sines, and so the attention scores by its square. */
    default double attentionFactor() {
        return 1;
    }

    /** Frequencies as they are. */
    record None() implements RopeScaling {
        @Override
        public double scale(double frequency, int pair, double theta, int size) {
            return frequency;
        }
    }

    /** All frequencies divided by a factor. */
    record Linear(double factor) implements RopeScaling {
        @Override
        public double scale(double frequency, int pair, double theta, int size) {
            return frequency / factor;
        }
    }

    /**
     * Dynamic NTK: a larger base for sequences longer than the model's positions. Up to these, which are the most that
     * this runtime takes, frequencies are as they are.
     */
    record Dynamic(double factor) implements RopeScaling {
        @Override
        public double scale(double frequency, int pair, double theta, int size) {
            return frequency;
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
        public double scale(double frequency, int pair, double theta, int size) {
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

    /**
     * YaRN (Peng et al.): pairs that turn more than {@code betaFast} times over the original positions are kept, those
     * that turn less than {@code betaSlow} times are divided by the factor, a ramp over the pairs between.
     *
     * @param originalPositions positions of pretraining
     * @param attentionFactor multiplies cosines and sines
     * @param truncate whether the ramp's ends are rounded to whole pairs
     */
    record Yarn(
            double factor,
            int originalPositions,
            double betaFast,
            double betaSlow,
            double attentionFactor,
            boolean truncate)
            implements RopeScaling {
        @Override
        public double scale(double frequency, int pair, double theta, int size) {
            double low = pairTurning(betaFast, theta, size);
            double high = pairTurning(betaSlow, theta, size);
            if (truncate) {
                low = Math.floor(low);
                high = Math.ceil(high);
            }
            low = Math.max(low, 0);
            high = Math.min(high, size - 1);
            if (low == high) {
                high += 0.001;
            }
            double divided = Math.clamp((pair - low) / (high - low), 0.0, 1.0);
            return divided * frequency / factor + (1 - divided) * frequency;
        }

        /** The pair, as a fraction, that turns so many times over the original positions. */
        private double pairTurning(double turns, double theta, int size) {
            return size * Math.log(originalPositions / (turns * 2 * Math.PI)) / (2 * Math.log(theta));
        }
    }
}
