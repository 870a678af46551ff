package dev.tmax.model.train;

import dev.tmax.model.torch.Value;
import java.util.Optional;

/**
 * Log-probabilities of a group's generated tokens under the learner, in {@link MicroBatch} order. Holds activations for
 * {@link TrainingEngine#backward} until closed or used there; results of {@link TrainingEngine#evaluate} hold none.
 */
public final class ForwardResult implements AutoCloseable {
    /**
     * What a backward pass needs.
     *
     * @param targets {@code [generated]}
     */
    record Activations(Layers.Pass pass, Value targets) {}

    private final float[] logProbabilities;
    private final float[] entropies;
    private Activations activations;

    ForwardResult(float[] logProbabilities, float[] entropies, Optional<Activations> activations) {
        this.logProbabilities = logProbabilities;
        this.entropies = entropies;
        this.activations = activations.orElse(null);
    }

    /** Natural log-probability of each generated token at the options' temperature. */
    public float[] logProbabilities() {
        return logProbabilities.clone();
    }

    /** Entropy, in nats, of the distribution each generated token was drawn from. */
    public float[] entropies() {
        return entropies.clone();
    }

    int generatedTokens() {
        return logProbabilities.length;
    }

    Activations activations() {
        if (activations == null) {
            throw new IllegalStateException("no activations: evaluated only, closed, or used by an earlier backward");
        }
        return activations;
    }

    @Override
    public void close() {
        if (activations != null) {
            activations.pass().close();
            activations = null;
        }
    }
}
