package dev.tmax.tasks.trial;

import dev.tmax.sandboxes.CellLimits;
import dev.tmax.sandboxes.CellSpec;
import dev.tmax.sandboxes.CellTools;
import dev.tmax.sandboxes.CommandRequest;
import dev.tmax.sandboxes.CommandResult;
import dev.tmax.sandboxes.Network;
import dev.tmax.sandboxes.ProcessRequest;
import dev.tmax.sandboxes.Sandbox;
import dev.tmax.sandboxes.SandboxFailure;
import dev.tmax.tasks.Environment;
import dev.tmax.tasks.HealthCheck;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A cell of an environment: how it is made ready, and how things are run and put into it. */
final class Workplace {
    private static final Duration PREPARATION = Duration.ofSeconds(60);
    private static final String ROOT = "0:0";

    /** The folders of the format. After a step, its tests and what they wrote are gone. */
    private static final String FOLDERS =
            "cd / && $b mkdir -p logs/agent logs/verifier logs/artifacts && $b chmod 777 logs logs/*";

    private static final String CLEAR = "$b rm -rf /tests /logs/verifier && ";

    /** A container of the image would run it with a command that only waits. */
    private static final String ENTRYPOINT = "%s setsid %s %s sleep 2147483647 </dev/null >/dev/null 2>&1 &";

    private final Host host;
    private final Environment environment;
    private final String cell;
    private final Optional<String> user;

    /**
     * @param cell id of the cell
     * @param user that commands run as, where it is not that of the image
     */
    Workplace(Host host, Environment environment, String cell, Optional<String> user) {
        this.host = host;
        this.environment = environment;
        this.cell = cell;
        this.user = user;
    }

    Sandbox sandbox() {
        return host.sandbox();
    }

    String cell() {
        return cell;
    }

    /** Makes the cell, of the image or on what another cell changed. */
    void create(Optional<String> base, Network network) throws SandboxFailure {
        CellSpec spec = CellSpec.of(cell)
                .withUser(user())
                .withWorkdir(workdir())
                .withEnvironment(variables())
                .withNetwork(network)
                .withLimits(limits());
        sandbox().createCell(base.isPresent() ? spec.stackedOn(base.get()) : spec);
        String script = "b=" + CellTools.BUSYBOX + "; " + (base.isPresent() ? CLEAR : "") + FOLDERS;
        execute(List.of(CellTools.BUSYBOX, "sh", "-c", script), ROOT, PREPARATION);
        if (!host.image().entrypoint().isEmpty()) {
            run("entrypoint", entrypoint(), PREPARATION);
        }
    }

    private String entrypoint() {
        String words = host.image().entrypoint().stream()
                .map(Workplace::quoted)
                .reduce((first, second) -> first + " " + second)
                .orElseThrow();
        return ENTRYPOINT.formatted(CellTools.BUSYBOX, words, CellTools.BUSYBOX);
    }

    /** Unpacks an archive in a folder. */
    void put(String folder, byte[] tar) throws SandboxFailure {
        sandbox().putFiles(cell, folder, new ByteArrayInputStream(tar));
    }

    /** Runs commands in the cell's shell; what they leave in the background goes on. */
    CommandResult run(String id, String commands, Duration timeout) throws SandboxFailure {
        return sandbox().run(cell, CommandRequest.of(id, commands, timeout));
    }

    /** Runs a program and ends what it leaves. */
    CommandResult execute(List<String> arguments, String asUser, Duration timeout) throws SandboxFailure {
        return sandbox()
                .execute(
                        cell,
                        new ProcessRequest(
                                arguments,
                                asUser,
                                workdir(),
                                variables(),
                                timeout,
                                CommandRequest.DEFAULT_OUTPUT_LIMIT));
    }

    /** Waits for a health check to succeed. */
    void await(HealthCheck check) throws SandboxFailure, FailedStepException, InterruptedException {
        Instant started = Instant.now();
        int failures = 0;
        while (true) {
            CommandResult result = execute(List.of("bash", "-c", check.command()), imageUser(), check.timeout());
            if (result.exitCode() == 0) {
                return;
            }
            boolean starting = Duration.between(started, Instant.now()).compareTo(check.startPeriod()) < 0;
            failures += starting ? 0 : 1;
            if (failures >= check.retries()) {
                throw new FailedStepException(
                        "the health check '" + check.command() + "' failed " + failures + " times, at last with status "
                                + result.exitCode() + ": " + result.output().strip());
            }
            Thread.sleep(starting ? check.startInterval() : check.interval());
        }
    }

    String workdir() {
        return environment.workdir().or(host.image()::workdir).orElse("/");
    }

    String user() {
        return user.or(host.image()::user).orElse("");
    }

    String imageUser() {
        return host.image().user().orElse("");
    }

    Map<String, String> variables() {
        return joined(host.image().variables(), environment.variables());
    }

    CellLimits limits() {
        return environment.cellLimits();
    }

    static Map<String, String> joined(Map<String, String> first, Map<String, String> second) {
        Map<String, String> joined = new TreeMap<>(first);
        joined.putAll(second);
        return joined;
    }

    /** As one word of a shell. */
    static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
