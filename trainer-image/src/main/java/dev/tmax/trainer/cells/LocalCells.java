package dev.tmax.trainer.cells;

import java.util.List;
import java.util.Optional;

/** Cells on the generator's own machine: as many at the same time as one sandbox hosts. */
public final class LocalCells implements Cells {

    private static final Place HERE = new Place("local:", "", "local");

    private final int places;
    private int taken;
    private long cells;

    public LocalCells(int places) {
        this.places = places;
    }

    @Override
    public void start(Listener listener) {
        // Places become free by release only, and the dispatcher looks again after each.
    }

    @Override
    public synchronized Optional<Place> claim(String image) {
        if (taken == places) {
            return Optional.empty();
        }
        taken++;
        cells++;
        return Optional.of(HERE);
    }

    @Override
    public synchronized void release(Place place, boolean failed) {
        taken--;
    }

    @Override
    public void demand(List<Demand> demand) {
        // Nothing has to be warmed.
    }

    @Override
    public synchronized Counts counts() {
        return new Counts(0, taken == 0 ? 1 : 0, taken == 0 ? 0 : 1, cells, 1);
    }

    @Override
    public void close() {
        // Holds nothing.
    }
}
