package dev.tmax.sandboxes.verify;

import dev.tmax.sandboxes.CellLimits;
import dev.tmax.sandboxes.Network;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/**
 * How to verify an attempt.
 *
 * @param tests tar archive of the task's {@code tests} folder: {@code test.sh} at its top
 * @param timeout of {@code test.sh}
 * @param user who runs it; empty: root
 * @param workdir where it runs; empty: {@code /}
 * @param environment beyond those of the image
 * @param network the one of the attempt
 * @param limits of the verification cell
 * @param extraFiles content by absolute path: facts that the host knows and the tests may look at, such as
 *     {@code /logs/agent/output.txt}; written after what the attempt planted there is removed
 */
public record VerifierRequest(
        byte[] tests,
        Duration timeout,
        String user,
        String workdir,
        Map<String, String> environment,
        Network network,
        CellLimits limits,
        Map<String, byte[]> extraFiles) {

    public VerifierRequest {
        Objects.requireNonNull(tests, "tests");
        environment = Map.copyOf(environment);
        extraFiles = Map.copyOf(extraFiles);
        extraFiles.keySet().forEach(path -> {
            if (!path.startsWith("/") || path.endsWith("/") || path.contains("/../") || path.endsWith("/..")) {
                throw new IllegalArgumentException("extraFiles '" + path + "': use an absolute path of a file");
            }
        });
    }

    /** Root in {@code workdir}, no network, default limits, no extra files. */
    public static VerifierRequest of(byte[] tests, Duration timeout, String workdir) {
        return new VerifierRequest(tests, timeout, "", workdir, Map.of(), Network.NONE, CellLimits.DEFAULT, Map.of());
    }

    public VerifierRequest withExtraFiles(Map<String, byte[]> newExtraFiles) {
        return new VerifierRequest(tests, timeout, user, workdir, environment, network, limits, newExtraFiles);
    }

    public VerifierRequest withUser(String newUser) {
        return new VerifierRequest(tests, timeout, newUser, workdir, environment, network, limits, extraFiles);
    }
}
