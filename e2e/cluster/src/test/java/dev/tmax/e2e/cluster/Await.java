package dev.tmax.e2e.cluster;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Waits until something that is read anew each time has come true, or says what it was last. */
final class Await {

    private static final Duration PAUSE = Duration.ofMillis(500);

    private Await() {}

    /**
     * @param what a sentence for the failure: what should have come true
     * @return the first value that satisfies the condition
     */
    static <T> T until(String what, Duration limit, Supplier<T> read, Predicate<T> condition) {
        Instant deadline = Instant.now().plus(limit);
        T last = null;
        RuntimeException problem = null;
        while (Instant.now().isBefore(deadline)) {
            try {
                problem = null;
                last = read.get();
                if (condition.test(last)) {
                    return last;
                }
            } catch (RuntimeException e) {
                problem = e; // The API server may be busy or the object not there yet: that is what waiting is for.
            }
            pause();
        }
        throw new AssertionError(
                "Not within %d s: %s. Last seen: %s"
                        .formatted(limit.toSeconds(), what, problem == null ? last : problem),
                problem);
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting", e);
        }
    }
}
