package dev.tmax.sandboxes.cells;

import dev.tmax.sandboxes.CellSpec;
import dev.tmax.sandboxes.Network;
import dev.tmax.sandboxes.SandboxFailure;
import dev.tmax.sandboxes.SandboxFailure.Reason;
import dev.tmax.sandboxes.protocol.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * A cell's files on the host, and the container over them.
 *
 * @param id of the cell
 * @param path {@code upper}: what the cell changed; {@code work}: overlayfs' own; {@code root}: mount point; the OCI bundle
 * @param lower folders below {@code upper}, topmost first: the changes of the cells it is stacked on, then the image
 */
record CellFolder(String id, Path path, List<Path> lower) {

    /** Mounts the root, fills what the kubelet mounts over in a pod, and goes to the bundle. No process lives in it yet. */
    private static final String MOUNT = """
            dir=$1 lower=$2 resolver=$3; shift 3
            mount -t overlay overlay \\
              -o "lowerdir=$lower,upperdir=$dir/upper,workdir=$dir/work,userxattr,volatile" "$dir/root" || exit 70
            if [ -d "$dir/root/etc" ] && [ ! -L "$dir/root/etc" ]; then
              if [ ! -s "$dir/root/etc/hosts" ] && [ ! -L "$dir/root/etc/hosts" ]; then
                printf '127.0.0.1\\tlocalhost\\n::1\\tlocalhost ip6-localhost ip6-loopback\\n127.0.1.1\\tsandbox\\n' \\
                  >"$dir/root/etc/hosts"
              fi
              if [ -n "$resolver" ] && [ ! -L "$dir/root/etc/resolv.conf" ]; then
                cat "$resolver" >"$dir/root/etc/resolv.conf"
              fi
            fi
            cd "$dir" || exit 70
            """;

    /**
     * Starts the container. Prints what it misses. crun comes back shortly before the first process is what it shall be;
     * until then nothing can enter the cell.
     */
    private static final String START = MOUNT + """
            workdir=$1 init=$2; shift 2
            "$@" run --no-pivot --no-new-keyring --detach --pid-file "$dir/pid" "${dir##*/}" \\
              </dev/null >/dev/null 2>&1 || { cat "$dir/crun.log"; exit 71; }
            read -r pid <"$dir/pid"
            until read -r name <"/proc/$pid/comm" && [ "$name" = "$init" ]; do
              [ -d "/proc/$pid" ] || { echo "its first process ended"; exit 71; }
            done
            [ -d "$dir/root$workdir" ] || echo workdir
            """;

    /** Runs the container to its end, in front, and unmounts its root. */
    private static final String RUN = MOUNT + """
            { echo 800 >/proc/self/oom_score_adj; } 2>/dev/null
            "$@" run --no-pivot --no-new-keyring --pid-file "$dir/pid" "${dir##*/}" </dev/null
            status=$?
            umount -l "$dir/root"
            exit "$status"
            """;

    private static final String STOP = "dir=$1; shift; \"$@\" delete --force \"${dir##*/}\" >/dev/null 2>&1; "
            + "umount -l \"$dir/root\" 2>/dev/null; [ ! -e \"$dir/root/proc\" ]";

    Path upper() {
        return path.resolve("upper");
    }

    /** What a cell stacked on this one has below its own changes. */
    List<Path> asLower() {
        List<Path> layers = new ArrayList<>(List.of(upper()));
        layers.addAll(lower);
        return layers;
    }

    /**
     * What the start found.
     *
     * @param init process id of the cell's first process, as the host sees it
     */
    record Running(long init, boolean workdirMissing) {}

    Running start(Crun crun, CellSpec spec, HostTools tools) throws SandboxFailure {
        try {
            List<String> arguments = prepare(crun, spec, tools, CellConfiguration.init());
            arguments.addAll(List.of(spec.workdir(), CellConfiguration.INIT_NAME));
            arguments.addAll(crun.command(log()));
            Crun.ScriptResult result = crun.scriptInGroup(id, spec.limits().processes(), START, arguments);
            if (result.status() != 0) {
                throw new SandboxFailure(Reason.INTERNAL, "cell " + id + " cannot be started: " + result.output());
            }
            return new Running(init().orElseThrow(), result.output().equals("workdir"));
        } catch (IOException e) {
            throw new SandboxFailure(Reason.INTERNAL, "cell " + id + " cannot be started: " + e, e);
        } catch (InterruptedException e) {
            throw Interruption.of(e);
        }
    }

    /** Starts a container that ends with its only program, this one, whose output is that of the process returned. */
    Process run(Crun crun, CellSpec spec, HostTools tools, Map<String, Object> program)
            throws IOException, InterruptedException {
        List<String> arguments = prepare(crun, spec, tools, program);
        arguments.addAll(crun.command(log()));
        return crun.startInGroup(id, spec.limits().processes(), RUN, arguments);
    }

    /** Makes the bundle; returns the arguments of {@link #MOUNT}. */
    private List<String> prepare(Crun crun, CellSpec spec, HostTools tools, Map<String, Object> firstProcess)
            throws IOException, InterruptedException {
        Files.createDirectories(upper());
        Files.createDirectories(path.resolve("root"));
        FolderRemoval.of(path.resolve("work"));
        Files.createDirectory(path.resolve("work"));
        Path image = lower.getLast();
        Restoration restoration = Restoration.of(spec.restored(), image, lower.subList(0, lower.size() - 1));
        List<Path> layers = new ArrayList<>(lower);
        if (!restoration.isEmpty()) {
            restoration.writeTo(path.resolve("restored"), crun);
            layers.addFirst(path.resolve("restored"));
        }
        Map<Path, String> imageFolders = new TreeMap<>();
        restoration.mounted().forEach(folder -> imageFolders.put(image.resolve(folder), "/" + folder));
        Files.write(
                path.resolve("config.json"),
                Json.write(
                        CellConfiguration.of(firstProcess, path.resolve("root"), tools, spec.network(), imageFolders)));
        return new ArrayList<>(List.of(
                path.toString(),
                String.join(":", layers.stream().map(Path::toString).toList()),
                spec.network() == Network.HOST ? "/etc/resolv.conf" : ""));
    }

    /** Process id of the first process, as the host sees it; empty before it is there. */
    OptionalLong init() {
        try {
            String pid = Files.readString(path.resolve("pid")).strip();
            return pid.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(pid));
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }

    /** Where crun says why it could not start the container. */
    Path log() {
        return path.resolve("crun.log");
    }

    /** Ends its processes and unmounts it; its changes stay. */
    void stop(Crun crun) throws SandboxFailure {
        List<String> arguments = new ArrayList<>(List.of(path.toString()));
        arguments.addAll(crun.command(log()));
        try {
            Crun.ScriptResult result = crun.script(STOP, arguments);
            if (result.status() != 0) {
                System.getLogger(CellFolder.class.getName())
                        .log(System.Logger.Level.WARNING, "cell {0} does not stop cleanly: {1}", id, result.output());
            }
        } catch (IOException e) {
            throw new SandboxFailure(Reason.INTERNAL, "cell " + id + ": " + e, e);
        } catch (InterruptedException e) {
            throw Interruption.of(e);
        }
    }

    /** Removes its files; it has no processes and is unmounted. */
    void remove(Crun crun) throws SandboxFailure {
        try {
            FolderRemoval.of(path);
        } catch (IOException e) {
            throw new SandboxFailure(Reason.INTERNAL, "files of cell " + id + " stay: " + e, e);
        } finally {
            crun.removeGroup(id);
        }
    }
}
