package dev.tmax.model.train;

import dev.tmax.model.ModelFolder;
import java.nio.file.Path;

/**
 * Training step of one model: forward and backward passes that accumulate a gradient, and an optimizer that applies it.
 * Float32 master weights; deterministic for the same calls and thread count.
 *
 * <p>Not thread-safe: one thread at a time uses an engine.
 */
public final class TrainingEngine implements AutoCloseable {
    private TrainingEngine() {}

    /** Loads a model's weights as version 0, with zero gradient and moments. */
    public static TrainingEngine open(ModelFolder model, TrainingOptions options) {
        throw new UnsupportedOperationException();
    }

    /**
     * Log-probabilities and entropies of a group's generated tokens, keeping what {@link #backward} needs.
     *
     * @throws IllegalArgumentException if a sequence is longer than the model's positions, or a token outside the
     *     vocabulary
     */
    public ForwardResult forward(MicroBatch batch) {
        throw new UnsupportedOperationException();
    }

    /** As {@link #forward}, without keeping anything for a backward pass. */
    public ForwardResult evaluate(MicroBatch batch) {
        throw new UnsupportedOperationException();
    }

    /**
     * Adds the gradient of {@code Σ_t coefficients[t] · log π_t} to the gradient buffer, undivided, and frees the
     * result. The optimizer descends, so a coefficient is the derivative of the loss by that token's log-probability.
     *
     * @param coefficients one a generated token, in {@link MicroBatch} order
     */
    public void backward(ForwardResult result, float[] coefficients) {
        throw new UnsupportedOperationException();
    }

    /** Forgets the accumulated gradient. */
    public void zeroGradients() {
        throw new UnsupportedOperationException();
    }

    /**
     * Scales the accumulated gradient, clips it to a global norm and applies AdamW; then zeroes it and increments the
     * version. A gradient that is not finite is dropped instead, and reported.
     *
     * @param learningRate of this step
     * @param maxGradNorm most global 2-norm of the scaled gradient
     * @param gradientScale multiplies the accumulated gradient first, such as 1 / generated tokens of the step
     */
    public OptimizerResult step(double learningRate, double maxGradNorm, double gradientScale) {
        throw new UnsupportedOperationException();
    }

    /** Policy version: optimizer steps applied. */
    public long version() {
        throw new UnsupportedOperationException();
    }

    /** A copy of the present weights, for generators. The caller closes it. */
    public PublishedWeights snapshot() {
        throw new UnsupportedOperationException();
    }

    /** Writes master weights, moments and version into a folder, so that {@link #restore} continues bit-equal. */
    public void save(Path folder) {
        throw new UnsupportedOperationException();
    }

    /**
     * Takes up what {@link #save} wrote.
     *
     * @throws dev.tmax.model.ModelFormatException if a file is missing, damaged, or of another model; the engine is then
     *     as before
     */
    public void restore(Path folder) {
        throw new UnsupportedOperationException();
    }

    /** Writes the present weights in bfloat16 with configuration, tokenizer and chat template, as transformers reads. */
    public void exportHuggingFace(Path folder) {
        throw new UnsupportedOperationException();
    }

    /** Frees all native memory. */
    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
