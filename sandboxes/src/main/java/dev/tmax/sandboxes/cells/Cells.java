package dev.tmax.sandboxes.cells;

import dev.tmax.sandboxes.CellSpec;
import dev.tmax.sandboxes.CellStatus;
import dev.tmax.sandboxes.Changes;
import dev.tmax.sandboxes.CommandRequest;
import dev.tmax.sandboxes.CommandResult;
import dev.tmax.sandboxes.ProcessRequest;
import dev.tmax.sandboxes.SandboxFailure;
import dev.tmax.sandboxes.SandboxFailure.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The cells of one host. Safe for use by many threads. */
public final class Cells implements AutoCloseable {

    private final HostSettings settings;
    private final Crun crun;
    private final Map<String, Cell> live = new ConcurrentHashMap<>();

    /** Every id ever used, with the request that made it: a cell is used once. */
    private final Map<String, String> madeBy = new HashMap<>();

    private final Thread watch;

    public Cells(HostSettings settings) throws IOException {
        this.settings = settings;
        this.crun = new Crun(settings);
        Files.createDirectories(settings.state().resolve("cells"));
        this.watch = Thread.ofPlatform().daemon().name("cell-limits").start(new LimitsWatch(live::values));
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
        CellFolder folder =
                new CellFolder(spec.id(), settings.state().resolve("cells").resolve(spec.id()), lower);
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
        Cell cell = live.remove(cellId);
        if (cell != null) {
            cell.delete();
        }
    }

    public List<CellStatus> list() {
        ProcessTable table = ProcessTable.now();
        return live.values().stream().map(cell -> cell.status(table)).toList();
    }

    /** Ends all cells. */
    @Override
    public void close() {
        watch.interrupt();
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
