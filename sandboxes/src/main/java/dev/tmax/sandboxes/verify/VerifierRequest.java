package dev.tmax.sandboxes.verify;

import dev.tmax.sandboxes.CellLimits;
import dev.tmax.sandboxes.Network;
import java.time.Duration;
import java.util.List;
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
 * @param restored as in {@link dev.tmax.sandboxes.CellSpec#restored}: {@link #PROGRAMS}, unless the task is about changing
 *     programs that the image has
 */
public record VerifierRequest(
        byte[] tests,
        Duration timeout,
        String user,
        String workdir,
        Map<String, String> environment,
        Network network,
        CellLimits limits,
        Map<String, byte[]> extraFiles,
        List<String> restored) {

    /** Where images have their programs and libraries, and what tells the loader to load others. */
    public static final List<String> PROGRAMS = List.of(
            "/bin",
            "/sbin",
            "/lib",
            "/lib32",
            "/lib64",
            "/usr/bin",
            "/usr/sbin",
            "/usr/lib",
            "/usr/lib32",
            "/usr/lib64",
            "/usr/libexec",
            "/usr/local/bin",
            "/usr/local/sbin",
            "/usr/local/lib",
            "/etc/ld.so.preload",
            "/etc/ld.so.cache",
            "/etc/ld.so.conf");

    public VerifierRequest {
        Objects.requireNonNull(tests, "tests");
        environment = Map.copyOf(environment);
        extraFiles = Map.copyOf(extraFiles);
        restored = List.copyOf(restored);
        extraFiles.keySet().forEach(path -> {
            if (!path.startsWith("/") || path.endsWith("/") || path.contains("/../") || path.endsWith("/..")) {
                throw new IllegalArgumentException("extraFiles '" + path + "': use an absolute path of a file");
            }
        });
    }

    /** With {@link #PROGRAMS} restored. */
    public VerifierRequest(
            byte[] tests,
            Duration timeout,
            String user,
            String workdir,
            Map<String, String> environment,
            Network network,
            CellLimits limits,
            Map<String, byte[]> extraFiles) {
        this(tests, timeout, user, workdir, environment, network, limits, extraFiles, PROGRAMS);
    }

    /** Root in {@code workdir}, no network, default limits, no extra files. */
    public static VerifierRequest of(byte[] tests, Duration timeout, String workdir) {
        return new VerifierRequest(tests, timeout, "", workdir, Map.of(), Network.NONE, CellLimits.DEFAULT, Map.of());
    }

    public VerifierRequest withExtraFiles(Map<String, byte[]> newExtraFiles) {
        return new VerifierRequest(
                tests, timeout, user, workdir, environment, network, limits, newExtraFiles, restored);
    }

    public VerifierRequest withUser(String newUser) {
        return new VerifierRequest(
                tests, timeout, newUser, workdir, environment, network, limits, extraFiles, restored);
    }

    public VerifierRequest withRestored(List<String> newRestored) {
        return new VerifierRequest(
                tests, timeout, user, workdir, environment, network, limits, extraFiles, newRestored);
    }
}
