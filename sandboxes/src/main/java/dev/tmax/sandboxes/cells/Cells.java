package dev.tmax.sandboxes.cells;

import dev.tmax.sandboxes.CellSpec;
import dev.tmax.sandboxes.CellStatus;
import dev.tmax.sandboxes.Changes;
import dev.tmax.sandboxes.CommandRequest;
import dev.tmax.sandboxes.CommandResult;
import dev.tmax.sandboxes.ProcessRequest;
import dev.tmax.sandboxes.SandboxFailure;
import dev.tmax.sandboxes.SandboxFailure.Reason;
import dev.tmax.sandboxes.VerifierResult;
import dev.tmax.sandboxes.VerifierRun;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The cells of one host. Safe for use by many threads. */
public final class Cells implements AutoCloseable {

    private final HostSettings settings;
    private final Crun crun;
    private final Map<String, Cell> live = new ConcurrentHashMap<>();

    /** Every id ever used, with the request that made it: a cell is used once. */
    private final Map<String, String> madeBy = new HashMap<>();

    private final Map<String, VerifierCell> verifiers = new ConcurrentHashMap<>();
    private final Answers<VerifierResult> verifierAnswers = new Answers<>();
    private final Thread watch;

    public Cells(HostSettings settings) throws IOException {
        this.settings = settings;
        this.crun = new Crun(settings);
        Files.createDirectories(settings.state().resolve("cells"));
        this.watch = Thread.ofPlatform().daemon().name("cell-limits").start(new LimitsWatch(this::all));
    }

    /**
     * Makes a cell.
     *
     * @param requestId the same where it is asked again after its answer was lost
     * @throws SandboxFailure CONFLICT where another request made a cell of this id before
     */
    public void create(String requestId, CellSpec spec) throws SandboxFailure {
        List<Path> lower = spec.base().isPresent() ? sealed(spec.base().get()) : List.of(settings.rootFileSystem());
        if (!begin(requestId, spec.id())) {
            return;
        }
        CellFolder folder = folder(spec.id(), lower);
        try {
            Cell cell = Cell.start(spec, folder, settings, crun);
            live.put(spec.id(), cell);
            if (spec.base().isEmpty()) {
                Thread.ofVirtual().name("warm-" + spec.id()).start(cell::warm);
            }
        } catch (SandboxFailure e) {
            folder.stop(crun);
            folder.remove(crun);
            throw e;
        }
    }

    /** Whether this is the first time; false where the same request made it already. */
    private boolean begin(String requestId, String id) throws SandboxFailure {
        synchronized (madeBy) {
            String before = madeBy.putIfAbsent(id, requestId);
            if (before != null && (!before.equals(requestId) || !live.containsKey(id))) {
                throw new SandboxFailure(
                        Reason.CONFLICT, "cell " + id + " was made before: a cell is used once, take another id");
            }
            return before == null;
        }
    }

    private List<Limited> all() {
        List<Limited> all = new ArrayList<>(live.values());
        all.addAll(verifiers.values());
        return all;
    }

    /**
     * Runs a verifier over the changes of a cell, which is sealed.
     *
     * @param requestId the same where it is asked again after its answer was lost
     */
    public VerifierResult verify(String requestId, VerifierRun run) throws SandboxFailure {
        return verifierAnswers.once(requestId, () -> {
            if (!begin(requestId, run.id())) {
                throw new SandboxFailure(Reason.CONFLICT, "verifier " + run.id() + " ran before: take another id");
            }
            VerifierCell verifier = new VerifierCell(run, folder(run.id(), sealed(run.attempt())), settings, crun);
            verifiers.put(run.id(), verifier);
            try {
                return verifier.run();
            } finally {
                verifiers.remove(run.id());
            }
        });
    }

    private CellFolder folder(String id, List<Path> lower) {
        return new CellFolder(id, settings.state().resolve("cells").resolve(id), lower);
    }

    private List<Path> sealed(String base) throws SandboxFailure {
        Cell cell = cell(base);
        cell.seal();
        return cell.folder().asLower();
    }

    public CommandResult run(String cellId, CommandRequest request) throws SandboxFailure {
        return cell(cellId).run(request);
    }

    /**
     * @param requestId the same where it is asked again after its answer was lost
     */
    public CommandResult execute(String cellId, String requestId, ProcessRequest request) throws SandboxFailure {
        return cell(cellId).execute(requestId, request);
    }

    public void putFiles(String cellId, String path, InputStream tar) throws SandboxFailure {
        requireAbsolute(path);
        cell(cellId).putFiles(path, tar);
    }

    public byte[] getFiles(String cellId, List<String> paths, long maxBytes) throws SandboxFailure {
        for (String path : paths) {
            requireAbsolute(path);
        }
        return cell(cellId).getFiles(paths, maxBytes);
    }

    public Changes changes(String cellId) throws SandboxFailure {
        return cell(cellId).changes();
    }

    /** A cell that is gone already is no error. */
    public void delete(String cellId) throws SandboxFailure {
        VerifierCell verifier = verifiers.get(cellId);
        if (verifier != null) {
            verifier.stop();
        }
        Cell cell = live.remove(cellId);
        if (cell != null) {
            cell.delete();
        }
    }

    public List<CellStatus> list() {
        ProcessTable table = ProcessTable.now();
        return Stream.concat(
                        live.values().stream().map(cell -> cell.status(table)),
                        verifiers.values().stream().map(verifier -> verifier.status(table)))
                .toList();
    }

    /** Ends all cells. */
    @Override
    public void close() {
        watch.interrupt();
        verifiers.values().forEach(VerifierCell::stop);
        for (String id : List.copyOf(live.keySet())) {
            try {
                delete(id);
            } catch (SandboxFailure e) {
                System.getLogger(Cells.class.getName())
                        .log(System.Logger.Level.WARNING, "cell {0} is left behind: {1}", id, e.getMessage());
            }
        }
        settings.groups().close();
    }

    private Cell cell(String id) throws SandboxFailure {
        Cell cell = live.get(id);
        if (cell == null) {
            throw new SandboxFailure(Reason.NOT_FOUND, "no cell " + id + " here");
        }
        return cell;
    }

    private static void requireAbsolute(String path) throws SandboxFailure {
        if (!path.startsWith("/") || path.indexOf(0) >= 0) {
            throw new SandboxFailure(Reason.BAD_REQUEST, "path '" + path + "': use an absolute path");
        }
    }
}
