package dev.tmax.model.decode;

/**
 * How tokens are drawn. Training samples from the full distribution ({@code topP} 1, {@code topK} 0): otherwise the
 * recorded probability belongs to another distribution than the learner's.
 *
 * @param temperature divides the logits; 0 takes the most probable token, whose log-probability is then reported at
 *     temperature 1
 * @param topP smallest set of tokens with at least this probability; 1 for all
 * @param topK most probable tokens to draw from; 0 for all
 */
public record SamplingParameters(double temperature, double topP, int topK) {
    public SamplingParameters {
        if (!(temperature >= 0) || Double.isInfinite(temperature)) {
            throw new IllegalArgumentException("temperature: " + temperature + "; give 0 or more");
        }
        if (!(topP > 0 && topP <= 1)) {
            throw new IllegalArgumentException("topP: " + topP + "; give a number above 0, up to 1");
        }
        if (topK < 0) {
            throw new IllegalArgumentException("topK: " + topK + "; give 0 (all) or more");
        }
    }

    /** The full distribution at a temperature. */
    public static SamplingParameters temperature(double temperature) {
        return new SamplingParameters(temperature, 1, 0);
    }

    /** Always the most probable token. */
    public static SamplingParameters greedy() {
        return temperature(0);
    }

    boolean truncated() {
        return temperature > 0 && (topP < 1 || topK > 0);
    }
}
