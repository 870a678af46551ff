package dev.tmax.sandboxes;

import java.time.Duration;

/** Checks shared by requests. */
final class Bounds {

    private Bounds() {}

    static void requireTimeout(Duration timeout) {
        if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("timeout " + timeout + ": use more than 0 and at most a day");
        }
    }

    static void requireOutputLimit(int limit) {
        if (limit < 2 || limit > CommandRequest.MAX_OUTPUT_LIMIT) {
            throw new IllegalArgumentException(
                    "outputLimit " + limit + ": use 2 to " + CommandRequest.MAX_OUTPUT_LIMIT + " characters");
        }
    }
}
