package dev.tmax.model.train;

import dev.tmax.model.Precision;
import java.util.Objects;

/**
 * How a {@link TrainingEngine} computes. Master weights, gradients and moments are float32 in every case.
 *
 * @param compute number format of the layers
 * @param floatHead whether the language-model head computes in float32 rather than in {@code compute}
 * @param threads threads of one tensor operation
 * @param optimizer optimizer settings
 * @param temperature the sampling temperature; logits are divided by it before the log-softmax
 * @param recompute whether the backward pass computes each layer's inner activations again instead of keeping them: a
 *     third more work for a small part of the memory, and the same gradient to the bit
 */
public record TrainingOptions(
        Precision compute, boolean floatHead, int threads, AdamW optimizer, double temperature, boolean recompute) {
    /** Keeping activations. */
    public TrainingOptions(Precision compute, boolean floatHead, int threads, AdamW optimizer, double temperature) {
        this(compute, floatHead, threads, optimizer, temperature, false);
    }

    public TrainingOptions {
        Objects.requireNonNull(compute, "compute");
        Objects.requireNonNull(optimizer, "optimizer");
        if (threads < 1) {
            throw new IllegalArgumentException("threads: " + threads + "; give at least 1");
        }
        if (!(temperature > 0) || Double.isInfinite(temperature)) {
            throw new IllegalArgumentException("temperature: " + temperature + "; give a number above 0");
        }
    }
}
