package dev.tmax.operator.pool;

import java.time.Duration;
import java.time.Instant;

/**
 * Why an entry has no turn for a while: its pods cannot start, so they would only take the places of others.
 *
 * @param failures turns in a row that came to nothing
 * @param until when its next turn comes
 * @param reason what the last turn failed of
 */
record Setback(int failures, Instant until, String reason) {

    private static final Duration FIRST = Duration.ofSeconds(30);
    private static final Duration LONGEST = Duration.ofMinutes(8);
    private static final int MOST_DOUBLINGS = 4;

    /** Twice as long with each turn in a row, from half a minute to eight. */
    static Setback after(int failuresBefore, String reason, Instant now) {
        Duration pause = FIRST.multipliedBy(1L << Math.min(failuresBefore, MOST_DOUBLINGS));
        return new Setback(failuresBefore + 1, now.plus(pause.compareTo(LONGEST) < 0 ? pause : LONGEST), reason);
    }
}
