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
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** One cell: what was asked of it happens one after another. */
final class Cell implements Limited {

    private final CellSpec spec;
    private final Account account;
    private final CellEnvironment environment;
    private final CellFolder folder;
    private final HostSettings settings;
    private final Crun crun;
    private final LimitBreaches breaches = new LimitBreaches();
    private final Answers<CommandResult> answers = new Answers<>();
    private final long madeAt = System.nanoTime();
    private final ReentrantLock turn = new ReentrantLock(true);

    private volatile State state = State.LIVE;
    private volatile CellProcesses processes;
    private volatile boolean busy;
    private Optional<Shell> shell = Optional.empty();
    private String cwd;

    private enum State {
        LIVE,
        SEALED,
        DELETED
    }

    private Cell(CellSpec spec, Account account, CellFolder folder, HostSettings settings, Crun crun) {
        this.spec = spec;
        this.account = account;
        this.environment = new CellEnvironment(settings.environment(), spec.environment());
        this.folder = folder;
        this.settings = settings;
        this.crun = crun;
        this.cwd = spec.workdir().isEmpty() ? "/" : spec.workdir();
    }

    static Cell start(CellSpec spec, CellFolder folder, HostSettings settings, Crun crun) throws SandboxFailure {
        Account account = Account.of(spec.user(), settings.rootFileSystem());
        Cell cell = new Cell(spec, account, folder, settings, crun);
        cell.start();
        return cell;
    }

    private void start() throws SandboxFailure {
        CellFolder.Running running = folder.start(crun, spec, settings.tools());
        processes = new CellProcesses(running.init());
        if (running.workdirMissing()) {
            new CellFiles(arguments -> launch(arguments, root(), Map.of(), false)).makeFolder(cwd);
        }
    }

    /** Starts the shell ahead of the first command. */
    void warm() {
        turn.lock();
        try {
            if (state == State.LIVE) {
                shell();
            }
        } catch (SandboxFailure e) {
            // The first command meets it again, and reports it.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            turn.unlock();
        }
    }

    CommandResult run(CommandRequest request) throws SandboxFailure {
        return answers.once(
                request.commandId(),
                () -> inTurn(() -> {
                    Optional<CommandResult> refusal = Refusal.of(request, cwd);
                    if (refusal.isPresent()) {
                        return refusal.get();
                    }
                    CommandRun.Finished finished =
                            new CommandRun(shell(), processes, breaches, settings.terminationGrace()).run(request, cwd);
                    requireAlive();
                    cwd = finished.result().cwd();
                    if (finished.unstoppable()) {
                        restart();
                    }
                    return finished.result();
                }));
    }

    /**
     * @param requestId the same where it is asked again
     */
    CommandResult execute(String requestId, ProcessRequest request) throws SandboxFailure {
        Account who = Account.of(request.user(), settings.rootFileSystem());
        return answers.once(
                requestId,
                () -> inTurn(() -> {
                    CommandResult result = orAnew(() -> new ProcessRun(
                                    arguments -> launch(arguments, who, request.environment(), true),
                                    processes,
                                    breaches)
                            .run(request));
                    requireAlive();
                    return result;
                }));
    }

    void putFiles(String path, InputStream tar) throws SandboxFailure {
        inTurn(() -> {
            files().put(path, tar);
            return null;
        });
    }

    byte[] getFiles(List<String> paths, long maxBytes) throws SandboxFailure {
        return inTurn(() -> orAnew(() -> files().get(paths, maxBytes)));
    }

    Changes changes() throws SandboxFailure {
        try {
            return CellChanges.of(folder.upper());
        } catch (IOException e) {
            throw new SandboxFailure(Reason.INTERNAL, "changes of cell " + spec.id() + " cannot be read: " + e, e);
        }
    }

    /** Ends its processes for good and keeps its changes, as the ground of another cell. */
    void seal() throws SandboxFailure {
        turn.lock();
        try {
            if (state == State.LIVE) {
                state = State.SEALED;
                folder.stop(crun);
            }
        } finally {
            turn.unlock();
        }
        if (state == State.DELETED) {
            throw gone();
        }
    }

    /** What runs in it ends at once. */
    void delete() throws SandboxFailure {
        boolean stopped = state == State.SEALED;
        state = State.DELETED;
        if (!stopped) {
            folder.stop(crun);
        }
        // What was running meets its end first.
        turn.lock();
        try {
            folder.remove(crun);
        } finally {
            turn.unlock();
        }
    }

    @Override
    public CellFolder folder() {
        return folder;
    }

    @Override
    public CellSpec spec() {
        return spec;
    }

    @Override
    public CellProcesses processes() {
        return processes;
    }

    @Override
    public LimitBreaches breaches() {
        return breaches;
    }

    @Override
    public boolean busy() {
        return busy;
    }

    @Override
    public boolean live() {
        return state == State.LIVE;
    }

    CellStatus status(ProcessTable table) {
        List<ProcessTable.Entry> entries = live() ? processes.in(table) : List.of();
        return new CellStatus(
                spec.id(),
                state != State.LIVE ? CellStatus.State.SEALED : busy ? CellStatus.State.RUNNING : CellStatus.State.IDLE,
                Duration.ofNanos(System.nanoTime() - madeAt),
                answers.count(),
                live() ? entries.size() + 1 : 0,
                entries.stream().mapToLong(ProcessTable.Entry::privateBytes).sum());
    }

    private Shell shell() throws SandboxFailure, InterruptedException {
        if (shell.isEmpty() || !shell.get().alive()) {
            shell.ifPresent(ended -> processes.left(ended.crun()));
            shell = Optional.of(orAnew(
                    () -> Shell.start(arguments -> launch(arguments, account, Map.of(), false), cwd)));
        }
        return shell.get();
    }

    /** Where the cell takes no process at all, nothing of the work was done: it is done in the cell started anew. */
    private <T> T orAnew(Work<T> work) throws SandboxFailure, InterruptedException {
        try {
            return work.run();
        } catch (SandboxFailure e) {
            if (e.reason() != Reason.CELL_LOST || state != State.LIVE) {
                throw e;
            }
            System.getLogger(Cell.class.getName())
                    .log(System.Logger.Level.WARNING, "cell {0} is started anew: {1}", spec.id(), e.getMessage());
            restart();
            return work.run();
        }
    }

    /** For a cell whose processes cannot be stopped one by one: all end, the files stay. */
    private void restart() throws SandboxFailure {
        folder.stop(crun);
        shell = Optional.empty();
        start();
    }

    private CellFiles files() {
        return new CellFiles(arguments -> launch(arguments, root(), Map.of(), false));
    }

    private static Account root() {
        return new Account(0, 0, List.of(), "/root");
    }

    private Crun.Started launch(List<String> arguments, Account who, Map<String, String> more, boolean merged)
            throws IOException {
        Crun.Started started = crun.execute(
                spec.id(),
                folder.path(),
                CellConfiguration.process(arguments, who, environment.of(who, more), spec.limits()),
                merged);
        CellProcesses those = processes;
        long crunPid = started.process().pid();
        those.entered(crunPid);
        // Its number may be given to a stranger afterwards.
        started.process().onExit().thenRun(() -> those.left(crunPid));
        return started;
    }

    /** Work on the cell that may fail. */
    @FunctionalInterface
    interface Work<T> {
        T run() throws SandboxFailure, InterruptedException;
    }

    private <T> T inTurn(Work<T> work) throws SandboxFailure {
        try {
            turn.lockInterruptibly();
            try {
                requireLive();
                busy = true;
                return work.run();
            } finally {
                busy = false;
                turn.unlock();
            }
        } catch (InterruptedException e) {
            throw Interruption.of(e);
        }
    }

    private void requireLive() throws SandboxFailure {
        switch (state) {
            case LIVE -> requireAlive();
            case SEALED ->
                throw new SandboxFailure(
                        Reason.CONFLICT, "cell " + spec.id() + " is sealed: another is stacked on its changes");
            case DELETED -> throw gone();
        }
    }

    private void requireAlive() throws SandboxFailure {
        if (state == State.DELETED) {
            throw gone();
        }
        if (!processes.alive()) {
            throw new SandboxFailure(Reason.CELL_LOST, "cell " + spec.id() + " was killed from outside");
        }
    }

    private SandboxFailure gone() {
        return new SandboxFailure(Reason.NOT_FOUND, "cell " + spec.id() + " was deleted");
    }
}
