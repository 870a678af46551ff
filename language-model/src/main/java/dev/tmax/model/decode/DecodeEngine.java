package dev.tmax.model.decode;

import dev.tmax.model.ModelFolder;
import dev.tmax.model.weights.WeightSource;
import java.util.List;

/**
 * Continuous batched decoding of one model. Each {@link #step} advances every active sequence by one token; sequences
 * start, stop, wait and resume independently, and weights can be swapped between steps.
 *
 * <p>Not thread-safe: one thread at a time uses an engine.
 */
public final class DecodeEngine implements AutoCloseable {
    private DecodeEngine() {}

    /**
     * Loads a model's weights as version 0.
     *
     * @throws IllegalArgumentException if the options exceed the model's positions
     */
    public static DecodeEngine open(ModelFolder model, DecodeOptions options) {
        throw new UnsupportedOperationException();
    }

    /**
     * Takes a slot for a sequence. Its prompt is computed at the beginning of the next step, or taken from the prompt
     * cache; its first token comes with that step.
     *
     * @param seed of the sequence's own random stream: the same seed, prompt and weights give the same tokens whatever
     *     else is in the batch
     * @return the sequence's id, never reused
     * @throws IllegalStateException if no slot is free
     * @throws IllegalArgumentException if the prompt does not leave room for a token
     */
    public long start(Prompt prompt, GenerationLimits limits, SamplingParameters sampling, long seed) {
        throw new UnsupportedOperationException();
    }

    /**
     * Begins the next turn of a stopped sequence, whose cache was kept.
     *
     * @param appendedTokens context after the last generated token (end of turn, observation, generation prompt); at
     *     least one
     */
    public void resume(long sequence, int[] appendedTokens, GenerationLimits limits) {
        throw new UnsupportedOperationException();
    }

    /** Samples one token for every active sequence. Events are in order of sequence; empty if none is active. */
    public List<SequenceEvent> step() {
        throw new UnsupportedOperationException();
    }

    /** Gives the sequence's slot back, whatever its state. */
    public void finish(long sequence) {
        throw new UnsupportedOperationException();
    }

    /**
     * Replaces the weights between two steps. Sequences go on with their caches; prompt caches of older versions are
     * dropped.
     *
     * @param version policy version of the new weights
     * @throws IllegalArgumentException if a tensor is missing or has another shape; the weights are then as before
     */
    public void swap(long version, WeightSource weights) {
        throw new UnsupportedOperationException();
    }

    /** Policy version of the weights in use. */
    public long version() {
        throw new UnsupportedOperationException();
    }

    /** Slots free for {@link #start}. */
    public int freeSlots() {
        throw new UnsupportedOperationException();
    }

    public DecodeStatistics statistics() {
        throw new UnsupportedOperationException();
    }

    /** Frees all native memory. */
    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
