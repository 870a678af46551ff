package dev.tmax.sandboxes.cells;

import dev.tmax.sandboxes.protocol.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Runs the OCI runtime and, for mounts, busybox, in the mount namespace of the cells. */
final class Crun {

    /** The kernel takes processes of cells before anything else of the pod. */
    private static final String OOM_SCORE_ADJUSTMENT = "800";

    private final HostSettings settings;
    private final AtomicLong files = new AtomicLong();

    Crun(HostSettings settings) {
        this.settings = settings;
    }

    /**
     * How a process in a cell is connected.
     *
     * @param process the crun that stands for it outside: its parent, which ends with its exit status
     * @param log where crun says why it could not start it
     */
    record Started(Process process, Path log, Path specification) {

        /** Crun's own complaint; empty where there is none. */
        String complaint() {
            return read(log);
        }

        void forgetFiles() {
            delete(log);
            delete(specification);
        }
    }

    /** Starts a process in a cell; standard output and error go one way where {@code merged}. */
    Started execute(String cell, Path folder, Map<String, Object> process, boolean merged) throws IOException {
        long number = files.incrementAndGet();
        Path specification = folder.resolve("process-" + number + ".json");
        Path log = folder.resolve("process-" + number + ".log");
        Files.write(specification, Json.write(process));
        List<String> command = prefix(cell);
        command.addAll(command(log));
        command.addAll(List.of("exec", "--process", specification.toString(), cell));
        Process started = builder(command).redirectErrorStream(merged).start();
        preferForOom(started.pid());
        return new Started(started, log, specification);
    }

    /** Command line of crun up to its subcommand, for use in the cells' namespace. */
    List<String> command(Path log) {
        return List.of(
                settings.tools().crun().toString(),
                "--root",
                settings.state().resolve("crun").toString(),
                "--cgroup-manager=disabled",
                "--log",
                log.toString());
    }

    /** What a script printed, and its exit status. */
    record ScriptResult(int status, String output) {}

    private List<String> prefix(String cell) {
        List<String> prefix =
                new ArrayList<>(settings.groups().enter(cell, settings.tools().busybox()));
        prefix.addAll(settings.namespace());
        return prefix;
    }

    /** Makes a cell's control group, and runs a script of the host's own shell in it. */
    ScriptResult scriptInGroup(String cell, int processes, String script, List<String> arguments)
            throws IOException, InterruptedException {
        settings.groups().add(cell, processes);
        return run(prefix(cell), script, arguments);
    }

    /** Makes a cell's control group, and starts a script of the host's own shell in it; standard error goes with the output. */
    Process startInGroup(String cell, int processes, String script, List<String> arguments) throws IOException {
        settings.groups().add(cell, processes);
        return start(prefix(cell), script, arguments);
    }

    void removeGroup(String cell) {
        settings.groups().remove(cell);
    }

    /** Runs a script of the host's own shell to its end. */
    ScriptResult script(String script, List<String> arguments) throws IOException, InterruptedException {
        return run(settings.namespace(), script, arguments);
    }

    private ScriptResult run(List<String> prefix, String script, List<String> arguments)
            throws IOException, InterruptedException {
        Process process = start(prefix, script, arguments);
        String output;
        try (var stream = process.getInputStream()) {
            output = new String(stream.readAllBytes(), StandardCharsets.UTF_8).strip();
        }
        return new ScriptResult(process.waitFor(), output);
    }

    private Process start(List<String> prefix, String script, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(settings.tools().busybox().toString(), "sh", "-c", script, "sh"));
        command.addAll(arguments);
        Process process = builder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        return process;
    }

    private static ProcessBuilder builder(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command);
        // What is in this process's environment, tokens above all, is nothing to a cell.
        builder.environment().clear();
        builder.environment().put("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
        return builder;
    }

    private static void preferForOom(long pid) {
        try {
            Files.writeString(Path.of("/proc", Long.toString(pid), "oom_score_adj"), OOM_SCORE_ADJUSTMENT);
        } catch (IOException e) {
            // Gone already, or the kernel does not let us: only an order of preference is lost.
        }
    }

    /** Content of a log; empty where there is none. */
    static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            return "";
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            // Goes with the cell's folder.
        }
    }
}
