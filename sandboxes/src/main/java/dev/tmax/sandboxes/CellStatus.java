package dev.tmax.sandboxes;

import java.time.Duration;

/**
 * A cell that lives.
 *
 * @param id its id
 * @param state what it does
 * @param age since it was made
 * @param commands commands run so far
 * @param processes now, its own first process included
 * @param memoryBytes private memory of its processes now
 */
public record CellStatus(String id, State state, Duration age, int commands, int processes, long memoryBytes) {

    /** What a cell does. */
    public enum State {
        IDLE,
        RUNNING,
        /** Another cell is stacked on its changes; it has no processes. */
        SEALED
    }
}
