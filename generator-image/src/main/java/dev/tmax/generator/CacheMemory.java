package dev.tmax.generator;

import dev.tmax.model.ModelConfiguration;
import dev.tmax.model.ModelRequirements;
import dev.tmax.model.Precision;
import dev.tmax.model.decode.DecodeOptions;

/** The memory that a generator uses for what it keeps of its episodes, where its configuration does not say. */
final class CacheMemory {

    /** About what libtorch, its compiled kernels and the activations of a step take. */
    private static final long PROCESS_BYTES = 768L << 20;

    private CacheMemory() {}

    /**
     * What remains beside heap and weights; at least one sequence of the whole context, for this is an estimate, and too
     * small a one would refuse what may fit.
     *
     * @param memory bytes of the container, or of the machine where it has no limit
     * @param heap most bytes of the Java heap
     */
    static long remaining(long memory, long heap, ModelConfiguration model, DecodeOptions options) {
        ModelRequirements needs = ModelRequirements.of(model);
        long version = needs.generatingBytes(0, 0) + (options.compute() == Precision.FP32 ? needs.weightBytes() : 0);
        // While weights are swapped there are two versions of them, and the received state.
        long weights = 2 * version + needs.weightBytes();
        return Math.max(options.sequenceBytes(model), memory - heap - weights - PROCESS_BYTES);
    }
}
