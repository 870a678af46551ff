package dev.tmax.sandboxes.cells;

import dev.tmax.sandboxes.CellSpec;
import dev.tmax.sandboxes.CellTools;
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
import java.util.Optional;
import java.util.TreeMap;

/**
 * A cell's files on the host, and the container over them.
 *
 * @param id of the cell
 * @param path {@code upper}: what the cell changed; {@code work}: overlayfs' own; {@code root}: mount point; the OCI bundle
 * @param lower folders below {@code upper}, topmost first: the changes of the cells it is stacked on, then the image
 */
record CellFolder(String id, Path path, List<Path> lower) {

    /**
     * Mounts the root, fills what the kubelet mounts over in a pod, starts the container. Prints what it misses. crun
     * comes back shortly before the first process is what it shall be; until then nothing can enter the cell.
     */
    private static final String START = """
            dir=$1 lower=$2 workdir=$3 resolver=$4 tool=$5; shift 5
            rm -rf "$dir/work" && mkdir "$dir/work"
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
            "$@" run --no-pivot --no-new-keyring --detach --pid-file "$dir/pid" "${dir##*/}" \\
              </dev/null >/dev/null 2>&1 || { cat "$dir/crun.log"; exit 71; }
            read -r pid <"$dir/pid"
            while read -r program <"/proc/$pid/cmdline"; [ "${program#"$tool"}" = "$program" ]; do
              [ -d "/proc/$pid" ] || { echo "its first process ended"; exit 71; }
            done
            [ -d "$dir/root$workdir" ] || echo workdir
            """;

    private static final String STOP = "dir=$1; shift; \"$@\" delete --force \"${dir##*/}\" >/dev/null 2>&1; "
            + "umount -l \"$dir/root\" 2>/dev/null; [ ! -e \"$dir/root/proc\" ]";

    private static final String REMOVE = "rm -rf \"$1\"";

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
            for (String part : List.of("upper", "root")) {
                Files.createDirectories(path.resolve(part));
            }
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
                    Json.write(CellConfiguration.of(
                            path.resolve("root"), tools.cellTools(), spec.network(), imageFolders)));
            List<String> arguments = new ArrayList<>(List.of(
                    path.toString(),
                    String.join(":", layers.stream().map(Path::toString).toList()),
                    spec.workdir(),
                    spec.network() == Network.HOST ? "/etc/resolv.conf" : "",
                    CellTools.BUSYBOX));
            arguments.addAll(crun.command(path.resolve("crun.log")));
            Crun.ScriptResult result = crun.scriptInGroup(id, spec.limits().processes(), START, arguments);
            if (result.status() != 0) {
                throw new SandboxFailure(Reason.INTERNAL, "cell " + id + " cannot be started: " + result.output());
            }
            long init = Long.parseLong(Files.readString(path.resolve("pid")).strip());
            return new Running(init, result.output().equals("workdir"));
        } catch (IOException e) {
            throw new SandboxFailure(Reason.INTERNAL, "cell " + id + " cannot be started: " + e, e);
        } catch (InterruptedException e) {
            throw Interruption.of(e);
        }
    }

    /** Ends its processes and unmounts it; its changes stay. */
    void stop(Crun crun) throws SandboxFailure {
        failed(crun, STOP)
                .ifPresent(output -> System.getLogger(CellFolder.class.getName())
                        .log(System.Logger.Level.WARNING, "cell {0} does not stop cleanly: {1}", id, output));
    }

    void remove(Crun crun) throws SandboxFailure {
        Optional<String> output = failed(crun, REMOVE);
        crun.removeGroup(id);
        if (output.isPresent()) {
            throw new SandboxFailure(Reason.INTERNAL, "files of cell " + id + " stay: " + output.get());
        }
    }

    private Optional<String> failed(Crun crun, String script) throws SandboxFailure {
        List<String> arguments = new ArrayList<>(List.of(path.toString()));
        arguments.addAll(crun.command(path.resolve("crun.log")));
        try {
            Crun.ScriptResult result = crun.script(script, arguments);
            return result.status() == 0 ? Optional.empty() : Optional.of(result.output());
        } catch (IOException e) {
            throw new SandboxFailure(Reason.INTERNAL, "cell " + id + ": " + e, e);
        } catch (InterruptedException e) {
            throw Interruption.of(e);
        }
    }
}
