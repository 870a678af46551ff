package dev.tmax.sandboxes.verify;

import dev.tmax.sandboxes.CellTools;
import dev.tmax.sandboxes.tar.TarModes;
import dev.tmax.sandboxes.tar.TarWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * What goes into a verification cell, and the clearing of its places before.
 *
 * @param clearing program and arguments that remove what the attempt left there and unpack {@code extraFiles}, their
 *     input
 * @param tests tar archive for {@code /tests}
 * @param extraFiles tar archive for {@code /}; may be empty
 */
record Upload(List<String> clearing, byte[] tests, byte[] extraFiles) {

    /**
     * Makes each folder along a path a real one: a link, FIFO or file that the attempt put in its place goes. The last
     * component goes in any case. Only the host's own static tools run.
     */
    private static final String CLEAR = """
            b=$1; shift
            for path; do
              left=${path#/}; made=
              while [ "$left" != "${left#*/}" ]; do
                made=$made/${left%%/*}; left=${left#*/}
                if [ -L "$made" ] || [ ! -d "$made" ]; then
                  "$b" rm -rf "$made" && "$b" mkdir -m 755 "$made" || exit 1
                fi
              done
              "$b" rm -rf "$path" || exit 1
            done
            "$b" mkdir -m 755 /tests && "$b" mkdir -m 777 /logs/verifier && exec "$b" tar -x -o -C / -f -
            """;

    static Upload of(VerifierRequest request) {
        List<String> clearing = new ArrayList<>(List.of(CellTools.BUSYBOX, "sh", "-c", CLEAR, "sh", CellTools.BUSYBOX));
        clearing.add("/tests");
        clearing.add("/logs/verifier");
        TarWriter tar = new TarWriter();
        new TreeMap<>(request.extraFiles()).forEach((path, content) -> {
            clearing.add(path);
            tar.file(path.substring(1), 0644, content);
        });
        // An extra file below a cleared folder finds it again: tar makes what is missing.
        return new Upload(
                List.copyOf(clearing), TarModes.withExecutable(request.tests(), "test.sh"), tar.toByteArray());
    }
}
