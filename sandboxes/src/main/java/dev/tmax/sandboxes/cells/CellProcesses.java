package dev.tmax.sandboxes.cells;

import dev.tmax.sandboxes.cells.ProcessTable.Entry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The processes of one cell, seen from outside: all that descend from its first process, and from what was started in it
 * since. An orphan is adopted by the cell's first process, so that nothing gets out of sight.
 */
final class CellProcesses {

    private static final long TICKS_PER_SECOND = 100;

    private final long init;
    /** Crun processes that stand outside for what they started inside. */
    private final Set<Long> entrances = ConcurrentHashMap.newKeySet();

    private volatile Moment latestCommand = Moment.now();

    CellProcesses(long init) {
        this.init = init;
    }

    /**
     * A moment that tells older from younger processes, finer than the clock ticks of their start times.
     *
     * @param ticks since boot
     * @param lastPid the last process id given before
     */
    record Moment(long ticks, long lastPid) {

        static Moment now() {
            try {
                String uptime = Files.readString(Path.of("/proc/uptime"));
                String load = Files.readString(Path.of("/proc/loadavg")).strip();
                long ticks = new BigDecimal(uptime.substring(0, uptime.indexOf(' ')))
                        .multiply(BigDecimal.valueOf(TICKS_PER_SECOND))
                        .longValue();
                return new Moment(ticks, Long.parseLong(load.substring(load.lastIndexOf(' ') + 1)));
            } catch (IOException e) {
                throw new UncheckedIOException("/proc is not mounted", e);
            }
        }

        boolean isBefore(ProcessTable.Id process) {
            return process.startTicks() > ticks || (process.startTicks() == ticks && process.pid() > lastPid);
        }
    }

    /** Before a command or program starts: tells its processes from older ones. */
    Moment commandStarts() {
        latestCommand = Moment.now();
        return latestCommand;
    }

    /** Of these, what the latest command started. */
    List<Entry> ofLatestCommand(List<Entry> entries) {
        return after(latestCommand, entries);
    }

    void entered(long crun) {
        entrances.add(crun);
    }

    void left(long crun) {
        entrances.remove(crun);
    }

    /** Whether the cell has its first process. */
    boolean alive() {
        return ProcessHandle.of(init).isPresent();
    }

    /** All but the first process. */
    List<Entry> in(ProcessTable table) {
        List<Long> roots = new ArrayList<>(entrances);
        roots.add(init);
        return table.below(roots);
    }

    /** What runs in the cell and was started after this moment. */
    List<Entry> startedAfter(Moment moment) {
        return after(moment, in(ProcessTable.now()));
    }

    private static List<Entry> after(Moment moment, List<Entry> entries) {
        return entries.stream().filter(entry -> moment.isBefore(entry.id())).toList();
    }

    /** The process that an entrance stands for; 0 where it is gone. */
    static long behind(long crun) {
        return ProcessTable.now().below(List.of(crun)).stream()
                .filter(entry -> entry.parent() == crun)
                .mapToLong(entry -> entry.id().pid())
                .findFirst()
                .orElse(0);
    }
}
