package dev.tmax.sandboxes.local;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * A mount namespace for the cells' mounts: this machine does not see them, and they end with this process, however it
 * ends.
 */
public final class CellNamespace implements AutoCloseable {

    /** crun refuses machines with both versions of cgroups; cells use neither. Waits for the end of its input. */
    private static final String HOLD =
            "if [ -d /sys/fs/cgroup/unified ]; then mount -t tmpfs tmpfs /sys/fs/cgroup; fi && echo held; read -r end";

    private final Process holder;
    private final Path busybox;

    private CellNamespace(Process holder, Path busybox) {
        this.holder = holder;
        this.busybox = busybox;
    }

    /**
     * @throws IOException where this process may not make one; the message says why
     */
    public static CellNamespace make(Path busybox) throws IOException {
        Process holder = new ProcessBuilder(busybox.toString(), "unshare", "-m", busybox.toString(), "sh", "-c", HOLD)
                .redirectErrorStream(true)
                .start();
        String answer =
                new BufferedReader(new InputStreamReader(holder.getInputStream(), StandardCharsets.UTF_8)).readLine();
        if (!"held".equals(answer)) {
            holder.destroyForcibly();
            throw new IOException("no mount namespace for cells (they need root): " + answer);
        }
        return new CellNamespace(holder, busybox);
    }

    /** Command prefix that enters it. */
    public List<String> prefix() {
        return List.of(busybox.toString(), "nsenter", "-t", Long.toString(holder.pid()), "-m");
    }

    @Override
    public void close() {
        holder.destroyForcibly();
    }
}
