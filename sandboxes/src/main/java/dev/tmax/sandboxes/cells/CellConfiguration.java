package dev.tmax.sandboxes.cells;

import dev.tmax.sandboxes.CellLimits;
import dev.tmax.sandboxes.CellTools;
import dev.tmax.sandboxes.Network;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What crun is told about a cell: the OCI runtime configuration, and that of each process in it. */
final class CellConfiguration {

    /** Enough to install packages and change users; nothing that reaches out of the cell. */
    private static final List<String> CAPABILITIES = List.of(
            "CAP_CHOWN",
            "CAP_DAC_OVERRIDE",
            "CAP_FOWNER",
            "CAP_FSETID",
            "CAP_KILL",
            "CAP_NET_BIND_SERVICE",
            "CAP_SETFCAP",
            "CAP_SETGID",
            "CAP_SETPCAP",
            "CAP_SETUID",
            "CAP_SYS_CHROOT");

    /** Name that the first process takes once it is all that it shall be: nothing may enter the cell before. */
    static final String INIT_NAME = "tmax-init";

    /**
     * Reaps for ever. It has no handler for any signal, so nothing inside can end it; where its child is killed it makes
     * another. It takes its name when it has the child, which is older than all that is started in the cell by then.
     */
    private static final List<String> INIT = List.of(
            CellTools.BUSYBOX,
            "sh",
            "-c",
            "b=$0; while :; do \"$b\" sleep 2147483 & echo \"$1\" >/proc/self/comm; wait; done",
            CellTools.BUSYBOX,
            INIT_NAME);

    /**
     * Forbids user namespaces inside, which would give capabilities over new mounts. crun runs it in the cell's namespaces
     * with all capabilities over them, before anything of the cell runs; it must read all that crun tells it.
     */
    private static final String FORBID_USER_NAMESPACES =
            "while read -r state; do :; done; echo 0 >/proc/sys/user/max_user_namespaces";

    private static final int IDS = 65_536;

    private CellConfiguration() {}

    /**
     * The cell itself.
     *
     * @param process its first, as {@link #init()} or {@link #process}; the cell ends with it
     * @param imageFolders folders of the image to mount over the cell's own, read-only, and where
     */
    static Map<String, Object> of(
            Map<String, Object> process, Path root, HostTools tools, Network network, Map<Path, String> imageFolders) {
        List<Map<String, Object>> namespaces = new ArrayList<>();
        for (String type : List.of("pid", "ipc", "uts", "mount", "user")) {
            namespaces.add(Map.of("type", type));
        }
        if (network == Network.NONE) {
            namespaces.add(Map.of("type", "network"));
        }
        List<Map<String, Object>> ids = List.of(Map.of("containerID", 0, "hostID", 0, "size", IDS));
        Map<String, Object> hook = Map.of(
                "path", tools.busybox().toString(), "args", List.of("busybox", "sh", "-c", FORBID_USER_NAMESPACES));
        return Map.of(
                "ociVersion",
                "1.0.0",
                "process",
                process,
                "root",
                Map.of("path", root.toString(), "readonly", false),
                "hostname",
                "sandbox",
                "mounts",
                mounts(tools.cellTools(), imageFolders),
                "hooks",
                Map.of("createContainer", List.of(hook)),
                "linux",
                Map.of("namespaces", namespaces, "uidMappings", ids, "gidMappings", ids));
    }

    /** The first process of a cell that lives until it is told to end. */
    static Map<String, Object> init() {
        return Map.of(
                "terminal",
                false,
                "user",
                Map.of("uid", 0, "gid", 0),
                "args",
                INIT,
                "env",
                List.of(),
                "cwd",
                "/",
                "capabilities",
                capabilities(List.of()),
                "noNewPrivileges",
                true);
    }

    /** A process in a cell. */
    static Map<String, Object> process(
            List<String> arguments, Account account, List<String> environment, CellLimits limits) {
        return Map.of(
                "terminal",
                false,
                "user",
                Map.of("uid", account.uid(), "gid", account.gid(), "additionalGids", account.groups()),
                "args",
                withinProcesses(arguments, limits),
                "env",
                environment,
                "cwd",
                "/",
                "capabilities",
                capabilities(CAPABILITIES),
                "rlimits",
                ResourceLimits.of(limits),
                "noNewPrivileges",
                false);
    }

    private static List<String> withinProcesses(List<String> arguments, CellLimits limits) {
        List<String> all = new ArrayList<>(List.of(
                CellTools.BUSYBOX, "sh", "-c", ResourceLimits.WITHIN_PROCESSES, Integer.toString(limits.processes())));
        all.addAll(arguments);
        return all;
    }

    private static Map<String, Object> capabilities(List<String> names) {
        return Map.of("bounding", names, "effective", names, "permitted", names);
    }

    private static List<Map<String, Object>> mounts(Path toolsFolder, Map<Path, String> imageFolders) {
        List<Map<String, Object>> mounts = new ArrayList<>(List.of(
                mount("/proc", "proc", "proc"),
                mount("/dev", "tmpfs", "tmpfs", "nosuid", "strictatime", "mode=755", "size=65536k"),
                mount(
                        "/dev/pts",
                        "devpts",
                        "devpts",
                        "nosuid",
                        "noexec",
                        "newinstance",
                        "ptmxmode=0666",
                        "mode=0620",
                        "gid=5"),
                mount("/dev/shm", "tmpfs", "shm", "nosuid", "noexec", "nodev", "mode=1777", "size=65536k"),
                mount(CellTools.FOLDER, "bind", toolsFolder.toString(), "bind", "ro", "nosuid", "nodev")));
        imageFolders.forEach(
                (source, destination) -> mounts.add(mount(destination, "bind", source.toString(), "bind", "ro")));
        return mounts;
    }

    private static Map<String, Object> mount(String destination, String type, String source, String... options) {
        return Map.of("destination", destination, "type", type, "source", source, "options", List.of(options));
    }
}
