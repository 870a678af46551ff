package dev.tmax.sandboxes.cells;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The processes that this process can see, at one moment. */
final class ProcessTable {

    private static final Path PROC = Path.of("/proc");
    private static final long PAGE_BYTES = 4096;

    private final Map<Long, Entry> entries = new HashMap<>();
    private final Map<Long, List<Entry>> children = new HashMap<>();

    private ProcessTable() {}

    /**
     * A process; equal to another exactly where it is the same one.
     *
     * @param startTicks when it started, in clock ticks since boot
     */
    record Id(long pid, long startTicks) {

        /** Sends KILL, or TERM, unless it is gone. */
        void signal(boolean kill) {
            ProcessHandle.of(pid).ifPresent(process -> {
                if (kill) {
                    process.destroyForcibly();
                } else {
                    process.destroy();
                }
            });
        }
    }

    /**
     * One row.
     *
     * @param name of its program, as the kernel has it
     * @param zombie whether it has ended already
     */
    record Entry(Id id, long parent, String name, boolean zombie) {

        /** Memory that it shares with no file; 0 where it is gone. */
        long privateBytes() {
            try {
                String[] pages = Files.readString(
                                PROC.resolve(Long.toString(id.pid())).resolve("statm"))
                        .split(" ");
                return (Long.parseLong(pages[1]) - Long.parseLong(pages[2])) * PAGE_BYTES;
            } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
                return 0;
            }
        }
    }

    static ProcessTable now() {
        ProcessTable table = new ProcessTable();
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path folder : folders) {
                read(folder).ifPresent(table::add);
            }
        } catch (IOException e) {
            throw new IllegalStateException("/proc cannot be listed", e);
        }
        return table;
    }

    private void add(Entry entry) {
        entries.put(entry.id().pid(), entry);
        children.computeIfAbsent(entry.parent(), parent -> new ArrayList<>()).add(entry);
    }

    Optional<Entry> get(long pid) {
        return Optional.ofNullable(entries.get(pid));
    }

    /** Processes below these, themselves left out, that have not ended. */
    List<Entry> below(Collection<Long> roots) {
        List<Entry> found = new ArrayList<>();
        Deque<Long> left = new ArrayDeque<>(roots);
        while (!left.isEmpty()) {
            for (Entry child : children.getOrDefault(left.pop(), List.of())) {
                if (!roots.contains(child.id().pid())) {
                    left.push(child.id().pid());
                    if (!child.zombie()) {
                        found.add(child);
                    }
                }
            }
        }
        return found;
    }

    private static Optional<Entry> read(Path folder) {
        try {
            // pid (name) state parent ... ; the name may hold anything, also parentheses.
            String stat = new String(Files.readAllBytes(folder.resolve("stat")), StandardCharsets.ISO_8859_1);
            int nameEnd = stat.lastIndexOf(')');
            if (nameEnd < 0) {
                return Optional.empty(); // it ended between opening and reading
            }
            String[] rest = stat.substring(nameEnd + 2).split(" ");
            return Optional.of(new Entry(
                    new Id(Long.parseLong(folder.getFileName().toString()), Long.parseLong(rest[19])),
                    Long.parseLong(rest[1]),
                    stat.substring(stat.indexOf('(') + 1, nameEnd),
                    rest[0].equals("Z") || rest[0].equals("X")));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
