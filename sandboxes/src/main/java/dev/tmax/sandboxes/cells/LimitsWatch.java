package dev.tmax.sandboxes.cells;

import dev.tmax.sandboxes.CellLimits;
import dev.tmax.sandboxes.cells.ProcessTable.Entry;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Holds cells to their bounds where no cgroup does: sums over the processes of each, kills the biggest of a cell that is
 * over, and leaves the reason for its command to report.
 */
final class LimitsWatch implements Runnable {

    private static final Duration WHILE_BUSY = Duration.ofMillis(100);
    private static final Duration WHILE_IDLE = Duration.ofSeconds(1);
    private static final Duration BETWEEN_DISK_LOOKS = Duration.ofSeconds(1);

    /** Watching takes at most this part of one processor, unless that would be less than a look per second. */
    private static final int SHARE = 20;

    private static final long MIB = 1 << 20;

    private final Supplier<Collection<? extends Limited>> cells;
    private long lastDiskLook = System.nanoTime();

    LimitsWatch(Supplier<Collection<? extends Limited>> cells) {
        this.cells = cells;
    }

    @Override
    public void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                long began = System.nanoTime();
                boolean busy = look();
                Duration rest = Duration.ofNanos(System.nanoTime() - began).multipliedBy(SHARE);
                Thread.sleep(busy ? max(WHILE_BUSY, min(rest, WHILE_IDLE)) : WHILE_IDLE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Duration max(Duration a, Duration b) {
        return a.compareTo(b) > 0 ? a : b;
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    /** Whether a cell was busy. A look that fails must not be the last. */
    private boolean look() {
        try {
            return lookAtAll();
        } catch (RuntimeException e) {
            System.getLogger(LimitsWatch.class.getName())
                    .log(System.Logger.Level.ERROR, "limits of cells cannot be checked", e);
            return true;
        }
    }

    private boolean lookAtAll() {
        List<? extends Limited> live =
                cells.get().stream().filter(Limited::live).toList();
        if (live.isEmpty()) {
            return false;
        }
        ProcessTable table = ProcessTable.now();
        live.forEach(cell -> holdToProcesses(cell, table));
        lookAtDisk(live, table);
        return live.stream().anyMatch(Limited::busy);
    }

    private static void holdToProcesses(Limited cell, ProcessTable table) {
        CellLimits limits = cell.spec().limits();
        List<Entry> entries = cell.processes().in(table);
        // The kernel may let none above the limit exist: a bomb that fills it would starve the commands after its own.
        if (entries.size() >= limits.processes()) {
            List<Entry> young = cell.processes().ofLatestCommand(entries);
            cell.breaches()
                    .report("The sandbox had " + entries.size() + " processes, all that its limit of "
                            + limits.processes() + " allows; those of the latest command were killed.");
            (young.isEmpty() ? newestHalf(entries) : young)
                    .forEach(entry -> entry.id().signal(true));
            return;
        }
        long total = 0;
        long most = 0;
        Entry biggest = null;
        for (Entry entry : entries) {
            long bytes = entry.privateBytes();
            total += bytes;
            if (bytes > most) {
                most = bytes;
                biggest = entry;
            }
        }
        if (total > limits.memoryBytes() && biggest != null) {
            cell.breaches()
                    .report("The sandbox used " + total / MIB + " MiB of memory, more than its limit of "
                            + limits.memoryBytes() / MIB + " MiB; its biggest process, " + biggest.name() + " with "
                            + most / MIB + " MiB, was killed.");
            biggest.id().signal(true);
        }
    }

    private static List<Entry> newestHalf(List<Entry> entries) {
        return entries.stream()
                .sorted(Comparator.comparingLong((Entry entry) -> entry.id().startTicks())
                        .reversed())
                .limit(entries.size() / 2 + 1)
                .toList();
    }

    private void lookAtDisk(List<? extends Limited> live, ProcessTable table) {
        if (System.nanoTime() - lastDiskLook >= BETWEEN_DISK_LOOKS.toNanos()) {
            live.stream().filter(Limited::busy).forEach(cell -> holdToDisk(cell, table));
            lastDiskLook = System.nanoTime();
        }
    }

    private static void holdToDisk(Limited cell, ProcessTable table) {
        long limit = cell.spec().limits().diskBytes();
        long bytes = bytesBelow(cell.folder().upper());
        if (bytes <= limit) {
            return;
        }
        cell.breaches()
                .report("The sandbox wrote " + bytes / MIB + " MiB to disk, more than its limit of " + limit / MIB
                        + " MiB; all that ran was killed. Delete files to go on.");
        // The shell too: its loop may be what writes.
        cell.processes().in(table).forEach(entry -> entry.id().signal(true));
    }

    private static long bytesBelow(Path folder) {
        AtomicLong bytes = new AtomicLong();
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    // A sparse file counts as its size: the JDK does not tell its blocks.
                    bytes.addAndGet(attributes.isRegularFile() ? attributes.size() : 0);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException e) {
                    return FileVisitResult.CONTINUE; // gone meanwhile
                }
            });
        } catch (IOException e) {
            return 0; // the cell is being deleted
        }
        return bytes.get();
    }
}
