package dev.tmax.trainer.cells;

import java.util.List;
import java.util.Optional;

/** Places for attempts. A claim is a decision of this process alone: no call to any server. Thread-safe. */
public interface Cells extends AutoCloseable {

    /**
     * A free place for one attempt.
     *
     * @param url of the env-runner, or {@code local:}
     * @param token bearer token of the pod
     * @param pod its name
     */
    record Place(String url, String token, String pod) {}

    /**
     * Attempts that will want cells of an image.
     *
     * @param attempts at the same time
     * @param step the earliest step that wants them
     */
    record Demand(String image, int attempts, int step) {}

    /**
     * Pods now, and totals since start.
     *
     * @param warming not ready yet
     * @param ready ready, without an attempt
     * @param leased with attempts
     */
    record Counts(int warming, int ready, int leased, long cells, long pods) {}

    /** Told outside of any lock of the cells. */
    interface Listener {

        /** There may be free places now. */
        void placesFreed();

        /** A pod is gone with everything in it. */
        void podLost(String pod, String reason);
    }

    /** To be called once, before the first claim. */
    void start(Listener listener);

    /** Takes a free place for an attempt with this image; empty where none is ready now. */
    Optional<Place> claim(String image);

    /**
     * Gives a place back.
     *
     * @param failed the infrastructure failed there: it is looked at before anyone else gets it
     */
    void release(Place place, boolean failed);

    /** Says what will be wanted; replaces what was said before. Never blocks. */
    void demand(List<Demand> demand);

    Counts counts();

    /** Ends the pods that this process holds: nothing is wanted any more. */
    @Override
    void close();
}
