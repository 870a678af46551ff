package dev.tmax.sandboxes.cells;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** What of a cell was killed for being over a limit, until a command reports it. */
final class LimitBreaches {

    private final AtomicReference<String> reason = new AtomicReference<>();

    void report(String sentence) {
        reason.compareAndSet(null, sentence);
    }

    Optional<String> take() {
        return Optional.ofNullable(reason.getAndSet(null));
    }

    void forget() {
        reason.set(null);
    }
}
