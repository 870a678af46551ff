package dev.tmax.sandboxes.cells;

import java.math.BigDecimal;
import java.time.Duration;

/** Writes durations for people. */
final class Seconds {

    private Seconds() {}

    /** Seconds without trailing zeros: {@code 120}, {@code 0.5}. */
    static String of(Duration duration) {
        return BigDecimal.valueOf(duration.toMillis(), 3).stripTrailingZeros().toPlainString();
    }
}
