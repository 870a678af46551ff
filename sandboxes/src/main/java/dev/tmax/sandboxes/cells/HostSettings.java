package dev.tmax.sandboxes.cells;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Where and how cells are made.
 *
 * @param rootFileSystem what cells see as / before they change it
 * @param state folder of the cells' own files; not on an overlay and not below {@code rootFileSystem}'s file system tree
 *     unless on a mount of its own
 * @param tools programs
 * @param environment of the image: every process of a cell has it
 * @param terminationGrace between TERM and KILL of a command's processes at its timeout
 * @param groups what bounds the processes of cells besides RLIMIT_NPROC
 * @param namespace command prefix that enters the mount namespace of the cells; empty: this process's own
 */
public record HostSettings(
        Path rootFileSystem,
        Path state,
        HostTools tools,
        Map<String, String> environment,
        Duration terminationGrace,
        ProcessGroups groups,
        List<String> namespace) {

    public static final Duration DEFAULT_TERMINATION_GRACE = Duration.ofSeconds(10);

    public HostSettings {
        environment = Map.copyOf(environment);
        namespace = List.copyOf(namespace);
        Objects.requireNonNull(terminationGrace, "terminationGrace");
        for (Path path : List.of(rootFileSystem, state)) {
            String text = path.toString();
            if (!path.isAbsolute() || text.contains(":") || text.contains(",") || text.contains("\\")) {
                throw new IllegalArgumentException(
                        "folder '" + path + "': use an absolute path without ':', ',' and '\\', as mounts need it");
            }
        }
    }
}
