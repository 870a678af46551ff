package dev.tmax.sandboxes.cells;

import dev.tmax.sandboxes.cells.CellProcesses.Moment;
import dev.tmax.sandboxes.cells.ProcessTable.Entry;
import java.time.Duration;
import java.util.List;

/**
 * Ends what a command started: every process of the cell that is younger than the command, whatever session or parent it
 * has. Older ones, such as daemons of earlier commands, stay.
 */
final class Termination {

    private static final Duration STUBBORN = Duration.ofSeconds(3);
    private static final long PAUSE_MILLIS = 20;
    private static final int MANY = 50;

    private final CellProcesses processes;
    private final Moment commandStart;

    Termination(CellProcesses processes, Moment commandStart) {
        this.processes = processes;
        this.commandStart = commandStart;
    }

    /** Sends TERM to what there is now, and waits until that is gone or the grace time over. */
    void ask(Duration grace) throws InterruptedException {
        long deadline = System.nanoTime() + grace.toNanos();
        List<Entry> asked = processes.startedAfter(commandStart);
        asked.forEach(entry -> entry.id().signal(false));
        while (System.nanoTime() < deadline) {
            List<Entry> left = processes.startedAfter(commandStart);
            if (left.stream().noneMatch(asked::contains)) {
                return;
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    /**
     * Kills until nothing is left.
     *
     * @return false where something still starts processes faster than they can be killed
     */
    boolean force() throws InterruptedException {
        long deadline = System.nanoTime() + STUBBORN.toNanos();
        while (true) {
            List<Entry> left = processes.startedAfter(commandStart);
            if (left.isEmpty()) {
                return true;
            }
            left.forEach(entry -> entry.id().signal(true));
            if (System.nanoTime() > deadline) {
                return false;
            }
            Thread.sleep(left.size() > MANY ? 1 : PAUSE_MILLIS);
        }
    }
}
