package dev.tmax.trainer.dispatch;

import dev.tmax.trainer.buffer.Batch;

/** How waiting for a batch ended. */
public sealed interface Awaited {

    record Ready(Batch batch) implements Awaited {}

    /** Somebody wants something else of the learner first. */
    record Interrupted() implements Awaited {}

    /** Going on would not help. The message says why and what to do. */
    record Hopeless(String message) implements Awaited {}
}
