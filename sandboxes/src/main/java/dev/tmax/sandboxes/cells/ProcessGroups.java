package dev.tmax.sandboxes.cells;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Control groups that bound the processes of each cell. Needed where cells belong to the machine's own root, whom
 * RLIMIT_NPROC does not bind; in a pod with its own user namespace that limit counts per cell and does it alone.
 *
 * @param base folder of a pids hierarchy, version 1 or 2, in which each cell gets a group; empty: none
 */
public record ProcessGroups(Optional<Path> base) {

    private static final Path CGROUPS = Path.of("/sys/fs/cgroup");

    /** Room for the crun processes that stand outside for those inside. */
    private static final int ENTRANCES = 32;

    /** The shell that becomes the command is in the group already. */
    private static final String ENTER = "{ echo $$ >\"$0/cgroup.procs\"; } 2>/dev/null; exec \"$@\"";

    /** For a host whose cells are bound by their user namespace. */
    public static ProcessGroups none() {
        return new ProcessGroups(Optional.empty());
    }

    /** On this machine; none where it lets us make no groups. */
    public static ProcessGroups onThisMachine() {
        String name = "tmax-cells-" + ProcessHandle.current().pid() + "-" + System.nanoTime();
        Path versionOne = CGROUPS.resolve("pids");
        boolean one = Files.isDirectory(versionOne);
        Path base = (one ? versionOne : CGROUPS).resolve(name);
        try {
            Files.createDirectory(base);
            if (!one) {
                Files.writeString(CGROUPS.resolve("cgroup.subtree_control"), "+pids");
                Files.writeString(base.resolve("cgroup.subtree_control"), "+pids");
            }
            return new ProcessGroups(Optional.of(base));
        } catch (IOException e) {
            return none();
        }
    }

    /** Makes a cell's group. */
    void add(String cell, int processes) throws IOException {
        if (base.isPresent()) {
            Path group = base.get().resolve(cell);
            Files.createDirectories(group);
            Files.writeString(group.resolve("pids.max"), Integer.toString(processes + ENTRANCES));
        }
    }

    /** Command prefix that enters a cell's group. */
    List<String> enter(String cell, Path busybox) {
        return base.map(folder -> List.of(
                        busybox.toString(),
                        "sh",
                        "-c",
                        ENTER,
                        folder.resolve(cell).toString()))
                .orElse(List.of());
    }

    /** Removes a cell's group; one whose processes are still ending goes with {@link #close}. */
    void remove(String cell) {
        base.ifPresent(folder -> delete(folder.resolve(cell)));
    }

    /** Removes what is left. */
    void close() {
        base.ifPresent(folder -> {
            try (var groups = Files.newDirectoryStream(folder, Files::isDirectory)) {
                groups.forEach(ProcessGroups::delete);
            } catch (IOException e) {
                // Not listed, not removed: an empty group costs nothing.
            }
            delete(folder);
        });
    }

    private static void delete(Path group) {
        try {
            Files.deleteIfExists(group);
        } catch (IOException e) {
            // Not empty yet.
        }
    }
}
