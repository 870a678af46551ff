package dev.tmax.sandboxes.cells;

import dev.tmax.sandboxes.CellSpec;

/** A cell that {@link LimitsWatch} holds to its bounds. */
interface Limited {

    CellSpec spec();

    CellFolder folder();

    CellProcesses processes();

    LimitBreaches breaches();

    /** Whether something runs that somebody waits for. */
    boolean busy();

    /** Whether it has processes. */
    boolean live();
}
