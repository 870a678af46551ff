package dev.tmax.model.train;

/**
 * Log-probabilities of a group's generated tokens under the learner, in {@link MicroBatch} order. Holds activations for
 * {@link TrainingEngine#backward} until closed or used there; results of {@link TrainingEngine#evaluate} hold none.
 */
public final class ForwardResult implements AutoCloseable {
    private final float[] logProbabilities;
    private final float[] entropies;
    private final Runnable release;

    ForwardResult(float[] logProbabilities, float[] entropies, Runnable release) {
        this.logProbabilities = logProbabilities;
        this.entropies = entropies;
        this.release = release;
    }

    /** Natural log-probability of each generated token at the options' temperature. */
    public float[] logProbabilities() {
        return logProbabilities.clone();
    }

    /** Entropy, in nats, of the distribution each generated token was drawn from. */
    public float[] entropies() {
        return entropies.clone();
    }

    @Override
    public void close() {
        release.run();
    }
}
