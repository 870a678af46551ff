package dev.tmax.sandboxes.cells;

import dev.tmax.sandboxes.CellLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** What the kernel itself limits for each process of a cell; never above what this process may have. */
final class ResourceLimits {

    private static final long OPEN_FILES = 1024;
    private static final long MORE_OPEN_FILES = 65_536;

    private ResourceLimits() {}

    /**
     * Becomes a program, with at most as many processes as {@code $0} says for its user in the cell. Not a limit that crun
     * sets: crun sets it while still outside, where it would count the whole pod's processes.
     */
    static final String WITHIN_PROCESSES = "ulimit -u \"$0\"; exec \"$@\"";

    static List<Map<String, Object>> of(CellLimits limits) {
        List<String> own = own();
        return List.of(
                limit("RLIMIT_FSIZE", limits.diskBytes(), limits.diskBytes(), own, "Max file size"),
                limit("RLIMIT_CORE", 0, 0, own, "Max core file size"),
                limit("RLIMIT_NOFILE", OPEN_FILES, MORE_OPEN_FILES, own, "Max open files"));
    }

    private static Map<String, Object> limit(String type, long soft, long hard, List<String> own, String name) {
        long most = own.stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()).strip().split(" +")[1])
                .filter(value -> !value.equals("unlimited"))
                .mapToLong(Long::parseLong)
                .findFirst()
                .orElse(Long.MAX_VALUE);
        return Map.of("type", type, "soft", Math.min(soft, most), "hard", Math.min(hard, most));
    }

    private static List<String> own() {
        try {
            return Files.readAllLines(Path.of("/proc/self/limits"));
        } catch (IOException e) {
            throw new UncheckedIOException("/proc is not mounted", e);
        }
    }
}
