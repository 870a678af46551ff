package dev.tmax.sandboxes.cells;

import dev.tmax.sandboxes.CellTools;
import dev.tmax.sandboxes.SandboxFailure;
import dev.tmax.sandboxes.SandboxFailure.Reason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Files into and out of a cell, by the host's static tar running inside: no name or link can lead out of the cell, and no
 * program of the cell takes part.
 */
final class CellFiles {

    private static final String UNPACK =
            "\"$1\" mkdir -p \"$2\" && EXTRACT_UNSAFE_SYMLINKS=1 exec \"$1\" tar -x -o -C \"$2\" -f -";

    private static final String MAKE = "exec \"$1\" mkdir -p \"$2\"";

    /** Status 44: nothing there. */
    private static final String PACK = """
            b=$1; shift; cd /
            for path; do
              shift
              if [ -e "$path" ] || [ -L "$path" ]; then set -- "$@" ".$path"; fi
            done
            [ $# != 0 ] || exit 44
            exec "$b" tar -c -f - "$@"
            """;

    private static final int NOTHING_THERE = 44;

    private final Shell.Launcher launcher;

    /**
     * @param launcher with standard output and error apart
     */
    CellFiles(Shell.Launcher launcher) {
        this.launcher = launcher;
    }

    void put(String path, InputStream tar) throws SandboxFailure {
        write(UNPACK, path, tar);
    }

    void makeFolder(String path) throws SandboxFailure {
        write(MAKE, path, InputStream.nullInputStream());
    }

    private void write(String script, String path, InputStream input) throws SandboxFailure {
        try {
            Crun.Started started = start(script, List.of(path));
            Process process = started.process();
            try (OutputStream out = process.getOutputStream()) {
                input.transferTo(out);
            } catch (IOException e) {
                // The program ended early: its status and message say why.
            }
            String message = text(process.getInputStream()) + text(process.getErrorStream());
            int status = process.waitFor();
            String complaint = started.complaint();
            started.forgetFiles();
            if (status != 0) {
                throw new SandboxFailure(
                        complaint.isEmpty() ? Reason.BAD_REQUEST : Reason.CELL_LOST,
                        path + " cannot be written: " + message.strip() + complaint);
            }
        } catch (IOException e) {
            throw new SandboxFailure(Reason.INTERNAL, path + " cannot be written: " + e, e);
        } catch (InterruptedException e) {
            throw Interruption.of(e);
        }
    }

    byte[] get(List<String> paths, long maxBytes) throws SandboxFailure {
        String names = String.join(", ", paths);
        try {
            Crun.Started started = start(PACK, paths);
            Process process = started.process();
            process.getOutputStream().close();
            ByteArrayOutputStream archive = new ByteArrayOutputStream();
            boolean whole = read(process, archive, maxBytes);
            String message = whole ? text(process.getErrorStream()) : "";
            int status = process.waitFor();
            String complaint = started.complaint();
            started.forgetFiles();
            if (!whole) {
                throw new SandboxFailure(
                        Reason.TOO_LARGE, names + ": larger than " + maxBytes + " bytes as an archive");
            }
            if (status == NOTHING_THERE) {
                throw new SandboxFailure(Reason.NOT_FOUND, names + ": not in the cell");
            }
            if (status != 0) {
                throw new SandboxFailure(
                        complaint.isEmpty() ? Reason.NOT_FOUND : Reason.CELL_LOST,
                        names + ": cannot be read: " + message.strip() + complaint);
            }
            return archive.toByteArray();
        } catch (IOException e) {
            throw new SandboxFailure(Reason.INTERNAL, names + ": cannot be read: " + e, e);
        } catch (InterruptedException e) {
            throw Interruption.of(e);
        }
    }

    /** Reads to the end, or kills the process at the bound. */
    private static boolean read(Process process, ByteArrayOutputStream archive, long maxBytes) throws IOException {
        byte[] buffer = new byte[64 << 10];
        try (InputStream stream = process.getInputStream()) {
            for (int n = stream.read(buffer); n >= 0; n = stream.read(buffer)) {
                if (archive.size() + n > maxBytes) {
                    // Its pipe is closed on leaving: tar ends by that.
                    return false;
                }
                archive.write(buffer, 0, n);
            }
            return true;
        }
    }

    private Crun.Started start(String script, List<String> paths) throws IOException {
        List<String> arguments =
                new ArrayList<>(List.of(CellTools.BUSYBOX, "sh", "-c", script, "sh", CellTools.BUSYBOX));
        arguments.addAll(paths);
        return launcher.start(arguments);
    }

    private static String text(InputStream stream) throws IOException {
        try (stream) {
            return new String(stream.readNBytes(64 << 10), StandardCharsets.UTF_8);
        }
    }
}
