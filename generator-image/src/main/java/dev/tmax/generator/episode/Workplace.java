package dev.tmax.generator.episode;

import dev.tmax.sandboxes.CellSpec;
import dev.tmax.sandboxes.CommandRequest;
import dev.tmax.sandboxes.CommandResult;
import dev.tmax.sandboxes.Network;
import dev.tmax.sandboxes.Sandbox;
import dev.tmax.sandboxes.SandboxFailure;
import dev.tmax.sandboxes.verify.Outcome;
import dev.tmax.sandboxes.verify.Verification;
import dev.tmax.sandboxes.verify.VerifierRequest;
import dev.tmax.tasks.Environment;
import dev.tmax.tasks.Task;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cell of one attempt at a task. It is made for the first command, not before: idle cells cost their host more than the
 * few milliseconds that making one takes. Used by one thread.
 */
final class Workplace implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Workplace.class);
    private static final String LAST_OUTPUT = "/logs/agent/output.txt";

    private final Sandbox host;
    private final String cell;
    private final Task task;
    private boolean made;
    private int commands;
    private boolean verified;

    Workplace(Sandbox host, String cell, Task task) {
        this.host = host;
        this.cell = cell;
        this.task = task;
    }

    private void make() throws SandboxFailure {
        if (made) {
            return;
        }
        made = true;
        Environment environment = task.environment();
        host.createCell(CellSpec.of(cell)
                .withUser(task.agent().user().orElse(""))
                .withWorkdir(workdir())
                .withEnvironment(environment.variables())
                .withNetwork(network(task.agent().network()))
                .withLimits(environment.cellLimits()));
        Optional<byte[]> files = environment.environmentTar();
        if (files.isPresent()) {
            host.putFiles(cell, workdir(), new ByteArrayInputStream(files.get()));
        }
    }

    /** Runs the model's command in the cell's shell. */
    CommandResult run(String command, Duration timeout, int outputLimit) throws SandboxFailure {
        make();
        commands++;
        int limit = Math.clamp(outputLimit, 2, CommandRequest.MAX_OUTPUT_LIMIT);
        return host.run(cell, new CommandRequest("command-" + commands, command, timeout, limit));
    }

    /**
     * Lets the task's tests judge what is here now.
     *
     * @param lastOutput of the last command, as seen from outside of the cell: some tasks are about it
     */
    Outcome verify(String lastOutput) throws SandboxFailure {
        make();
        verified = true;
        return Verification.fresh(
                host,
                cell,
                new VerifierRequest(
                        task.testsTar(),
                        task.verifier().timeout(),
                        task.verifier().user().orElse(""),
                        workdir(),
                        task.verifier().variables(),
                        network(task.verifier().network()),
                        task.environment().cellLimits(),
                        Map.of(LAST_OUTPUT, lastOutput.getBytes(StandardCharsets.UTF_8))));
    }

    private String workdir() {
        return task.environment().workdir().orElse("/");
    }

    private Network network(Optional<dev.tmax.tasks.Network> override) {
        return switch (override.orElse(task.environment().network())) {
            case dev.tmax.tasks.Network.Denied _ -> Network.NONE;
            // Which hosts is for the cluster's network policy to say.
            case dev.tmax.tasks.Network.Public _, dev.tmax.tasks.Network.AllowList _ -> Network.HOST;
        };
    }

    /** Removes the cell, also where the episode was interrupted. */
    @Override
    public void close() {
        if (!made) {
            return;
        }
        boolean interrupted = Thread.interrupted();
        try {
            host.deleteCell(cell);
            if (interrupted && verified) {
                host.deleteCell(cell + ".verify");
            }
        } catch (SandboxFailure e) {
            // The pod ends with its lease at the latest, and its cells with it.
            LOG.warn("cell {}: not deleted: {}", cell, e.getMessage());
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
