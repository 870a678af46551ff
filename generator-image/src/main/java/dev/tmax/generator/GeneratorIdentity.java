package dev.tmax.generator;

import java.util.OptionalLong;

/**
 * What a generator is.
 *
 * @param id stable over reconnects; in Kubernetes the name of its pod
 * @param slots episodes at the same time
 * @param threads threads of one tensor operation
 * @param cacheBytes most bytes for what is kept of its episodes; empty for what the memory leaves beside the weights
 */
public record GeneratorIdentity(String id, int slots, int threads, OptionalLong cacheBytes) {

    public GeneratorIdentity {
        if (id.isBlank() || slots < 1 || threads < 1) {
            throw new IllegalArgumentException("generator '" + id + "' with " + slots + " slots and " + threads
                    + " threads: give an id, and at least 1 of each");
        }
    }
}
