package dev.tmax.sandboxes.cells;

import dev.tmax.sandboxes.CellTools;
import dev.tmax.sandboxes.ProcessRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What the first process of a verifier's cell does. */
final class VerifierProgram {

    /** Printed before anything that the verifier prints: the container has started. */
    static final byte[] STARTED = "\036started\n".getBytes(StandardCharsets.US_ASCII);

    /**
     * Stays in front of the program, as a first process that reaps. Whether the folder can be made depends on the user.
     */
    private static final String PROGRAM = "printf '\\036started\\n'; b=$1 w=$2; shift 2;"
            + " cd \"$w\" 2>/dev/null || { \"$b\" mkdir -p \"$w\" && cd \"$w\"; } 2>/dev/null || cd /;"
            + " \"$@\"; exit $?";

    private VerifierProgram() {}

    static List<String> arguments(ProcessRequest request) {
        List<String> arguments = new ArrayList<>(List.of(
                CellTools.BUSYBOX,
                "sh",
                "-c",
                PROGRAM,
                "sh",
                CellTools.BUSYBOX,
                request.workdir().isEmpty() ? "/" : request.workdir()));
        arguments.addAll(request.arguments());
        return arguments;
    }
}
