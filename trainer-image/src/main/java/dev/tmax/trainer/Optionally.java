package dev.tmax.trainer;

import java.util.Optional;

/** A resource that may not be there, for use in try-with-resources. */
record Optionally<T extends AutoCloseable>(Optional<T> value) implements AutoCloseable {

    static <T extends AutoCloseable> Optionally<T> of(T resource) {
        return new Optionally<>(Optional.of(resource));
    }

    static <T extends AutoCloseable> Optionally<T> none() {
        return new Optionally<>(Optional.empty());
    }

    @Override
    public void close() throws Exception {
        if (value.isPresent()) {
            value.get().close();
        }
    }
}
