package dev.tmax.sandboxes.local;

import dev.tmax.sandboxes.CellSpec;
import dev.tmax.sandboxes.CellStatus;
import dev.tmax.sandboxes.Changes;
import dev.tmax.sandboxes.CommandRequest;
import dev.tmax.sandboxes.CommandResult;
import dev.tmax.sandboxes.ProcessRequest;
import dev.tmax.sandboxes.Sandbox;
import dev.tmax.sandboxes.SandboxFailure;
import dev.tmax.sandboxes.VerifierResult;
import dev.tmax.sandboxes.VerifierRun;
import dev.tmax.sandboxes.cells.Cells;
import dev.tmax.sandboxes.cells.HostSettings;
import dev.tmax.sandboxes.cells.HostTools;
import dev.tmax.sandboxes.cells.ProcessGroups;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Cells on this machine, over a folder with a root file system: the same cells as in a sandbox pod, for tests and for runs
 * without Kubernetes. Needs root, {@code crun} and {@code busybox-static}.
 *
 * <p>The machine's kernel is the only boundary, and root in a cell is root of the machine without its capabilities: fit for
 * a machine that serves nothing else.
 */
public final class LocalSandbox implements Sandbox {

    private final CellNamespace namespace;
    private final Cells cells;

    private LocalSandbox(CellNamespace namespace, Cells cells) {
        this.namespace = namespace;
        this.cells = cells;
    }

    /** As {@link #open(Path, Path, Duration)} with the grace time of sandbox pods. */
    public static LocalSandbox open(Path rootFileSystem, Path state) throws IOException {
        return open(rootFileSystem, state, HostSettings.DEFAULT_TERMINATION_GRACE);
    }

    /**
     * @param rootFileSystem what cells see as /; they never write to it
     * @param state folder for the cells' own files, on a file system that can be an overlay's upper layer
     * @param terminationGrace between TERM and KILL at a command's timeout
     * @throws IOException where this machine cannot have cells; the message says why
     */
    public static LocalSandbox open(Path rootFileSystem, Path state, Duration terminationGrace) throws IOException {
        HostTools tools = HostTools.installed(state.resolve("tools"))
                .orElseThrow(() -> new IOException(
                        "cells need crun and a static busybox: install the packages crun and busybox-static"));
        CellNamespace namespace = CellNamespace.make(tools.cellTools().resolve("busybox"));
        try {
            Cells cells = new Cells(new HostSettings(
                    rootFileSystem.toRealPath(),
                    state.toRealPath(),
                    tools,
                    Map.of(),
                    terminationGrace,
                    ProcessGroups.onThisMachine(),
                    namespace.prefix()));
            return new LocalSandbox(namespace, cells);
        } catch (IOException | RuntimeException e) {
            namespace.close();
            throw e;
        }
    }

    @Override
    public void createCell(CellSpec spec) throws SandboxFailure {
        cells.create(UUID.randomUUID().toString(), spec);
    }

    @Override
    public CommandResult run(String cellId, CommandRequest request) throws SandboxFailure {
        return cells.run(cellId, request);
    }

    @Override
    public CommandResult execute(String cellId, ProcessRequest request) throws SandboxFailure {
        return cells.execute(cellId, UUID.randomUUID().toString(), request);
    }

    @Override
    public VerifierResult verify(VerifierRun run) throws SandboxFailure {
        return cells.verify(UUID.randomUUID().toString(), run);
    }

    @Override
    public void putFiles(String cellId, String path, InputStream tar) throws SandboxFailure {
        cells.putFiles(cellId, path, tar);
    }

    @Override
    public byte[] getFiles(String cellId, List<String> paths, long maxBytes) throws SandboxFailure {
        return cells.getFiles(cellId, paths, maxBytes);
    }

    @Override
    public Changes changes(String cellId) throws SandboxFailure {
        return cells.changes(cellId);
    }

    @Override
    public void deleteCell(String cellId) throws SandboxFailure {
        cells.delete(cellId);
    }

    @Override
    public List<CellStatus> cells() {
        return cells.list();
    }

    /** Nothing to do: this machine lives as long as its process. */
    @Override
    public void lease(String holder, Duration ttl) {}

    /** See {@link #lease}. */
    @Override
    public void heartbeat() {}

    /** See {@link #lease}. */
    @Override
    public void finish() {}

    @Override
    public void close() {
        cells.close();
        namespace.close();
    }
}
