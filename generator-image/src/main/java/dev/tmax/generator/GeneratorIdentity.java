package dev.tmax.generator;

/**
 * What a generator is.
 *
 * @param id stable over reconnects; in Kubernetes the name of its pod
 * @param slots episodes at the same time
 * @param threads threads of one tensor operation
 */
public record GeneratorIdentity(String id, int slots, int threads) {

    public GeneratorIdentity {
        if (id.isBlank() || slots < 1 || threads < 1) {
            throw new IllegalArgumentException("generator '" + id + "' with " + slots + " slots and " + threads
                    + " threads: give an id, and at least 1 of each");
        }
    }
}
