package dev.tmax.operator.run.step;

import java.time.Duration;

/** What a step says to the walk. */
public sealed interface Progress {

    /** The next step, please. */
    record Continue() implements Progress {}

    /**
     * Nothing more to do for now.
     *
     * @param recheck when to look again even if nothing happens
     */
    record Stop(Duration recheck) implements Progress {}

    static Progress next() {
        return new Continue();
    }

    static Progress stop(Duration recheck) {
        return new Stop(recheck);
    }
}
