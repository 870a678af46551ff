package dev.tmax.e2e.apiserver;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Waits for conditions, never for time. */
final class Await {

    /** Long on a quick machine: on a slow one with others at work, everything takes its time. */
    static final Duration SOON = Duration.ofSeconds(60);

    private static final Duration PAUSE = Duration.ofMillis(50);

    private Await() {}

    static void until(String what, Duration limit, BooleanSupplier condition) {
        until(what, limit, condition::getAsBoolean, held -> held);
    }

    /** @return the first value that the condition holds for */
    static <T> T until(String what, Duration limit, Supplier<T> value, Predicate<T> condition) {
        Instant end = Instant.now().plus(limit);
        while (true) {
            T seen = value.get();
            if (condition.test(seen)) {
                return seen;
            }
            if (Instant.now().isAfter(end)) {
                throw new AssertionError("not within " + limit.toSeconds() + " s: " + what + "; last seen: " + seen);
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    /** @throws AssertionError where the condition is broken within the time */
    static void holds(String what, Duration time, BooleanSupplier condition) {
        Instant end = Instant.now().plus(time);
        while (Instant.now().isBefore(end)) {
            if (!condition.getAsBoolean()) {
                throw new AssertionError("was broken: " + what);
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }
}
