package dev.tmax.sandboxes.cells;

import dev.tmax.sandboxes.CellSpec;
import dev.tmax.sandboxes.CellStatus;
import dev.tmax.sandboxes.CommandResult;
import dev.tmax.sandboxes.CommandResult.Ending;
import dev.tmax.sandboxes.ProcessRequest;
import dev.tmax.sandboxes.SandboxFailure;
import dev.tmax.sandboxes.SandboxFailure.Reason;
import dev.tmax.sandboxes.Upload;
import dev.tmax.sandboxes.VerifierResult;
import dev.tmax.sandboxes.VerifierResult.WrittenFile;
import dev.tmax.sandboxes.VerifierRun;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A cell for one verifier. Its files are placed and read from outside while no process lives in it, and the program is its
 * first process: one start of a container is all that verification costs, and the kernel ends whatever the program leaves.
 */
final class VerifierCell implements Limited {

    private static final int TIMED_OUT_STATUS = 124;
    private static final Duration PREPARATION = Duration.ofSeconds(60);
    private static final Duration ENDING = Duration.ofSeconds(20);
    private static final long PAUSE_MILLIS = 10;

    private final VerifierRun run;
    private final CellSpec spec;
    private final CellFolder folder;
    private final HostSettings settings;
    private final Crun crun;
    private final LimitBreaches breaches = new LimitBreaches();
    private final long madeAt = System.nanoTime();
    private volatile Optional<CellProcesses> processes = Optional.empty();
    private volatile boolean live;
    private volatile boolean stopped;

    VerifierCell(VerifierRun run, CellFolder folder, HostSettings settings, Crun crun) {
        this.run = run;
        this.spec = run.cell();
        this.folder = folder;
        this.settings = settings;
        this.crun = crun;
    }

    /** Runs the verifier to its end, and removes the cell. */
    VerifierResult run() throws SandboxFailure {
        try {
            place();
            CommandResult result = runProgram();
            return new VerifierResult(result, written());
        } catch (IOException e) {
            throw new SandboxFailure(Reason.INTERNAL, "verifier " + run.id() + ": " + e, e);
        } catch (InterruptedException e) {
            throw Interruption.of(e);
        } finally {
            folder.remove(crun);
        }
    }

    private void place() throws IOException, SandboxFailure {
        UpperLayer upper = new UpperLayer(Files.createDirectories(folder.upper()));
        for (Upload upload : run.uploads()) {
            try {
                upper.place(upload);
            } catch (IOException e) {
                throw new SandboxFailure(
                        Reason.BAD_REQUEST, upload.folder() + " cannot be written: " + e.getMessage(), e);
            }
        }
        for (Map.Entry<String, byte[]> file : new TreeMap<>(run.files()).entrySet()) {
            upper.place(file.getKey(), file.getValue());
        }
    }

    private CommandResult runProgram() throws SandboxFailure, IOException, InterruptedException {
        ProcessRequest request = run.process();
        Account account = Account.of(request.user(), settings.rootFileSystem());
        Process container = folder.run(
                crun,
                spec,
                settings.tools(),
                CellConfiguration.process(
                        VerifierProgram.arguments(request),
                        account,
                        new CellEnvironment(settings.environment(), Map.of()).of(account, request.environment()),
                        spec.limits()));
        VerifierOutput output = new VerifierOutput(container, request.outputLimit());
        try {
            return follow(container, output, request);
        } finally {
            live = false;
            end(container);
        }
    }

    private CommandResult follow(Process container, VerifierOutput output, ProcessRequest request)
            throws SandboxFailure, InterruptedException {
        if (!output.awaitStart(PREPARATION)) {
            end(container);
            throw new SandboxFailure(
                    stopped ? Reason.NOT_FOUND : Reason.INTERNAL,
                    "verifier " + run.id() + " cannot be started: "
                            + output.end().text() + Crun.read(folder.log()));
        }
        long began = System.nanoTime();
        processes = init(container).stream().mapToObj(CellProcesses::new).findFirst();
        live = processes.isPresent();
        boolean timedOut = !container.waitFor(request.timeout().toMillis(), TimeUnit.MILLISECONDS);
        end(container);
        OutputWindow.Text text = output.end();
        if (stopped) {
            throw new SandboxFailure(Reason.NOT_FOUND, "verifier " + run.id() + " was deleted");
        }
        Optional<String> breach = breaches.take();
        return new CommandResult(
                timedOut ? Ending.TIMED_OUT : breach.isPresent() ? Ending.OVER_LIMIT : Ending.COMPLETED,
                timedOut ? TIMED_OUT_STATUS : container.exitValue(),
                text.text(),
                text.bytes(),
                text.truncated(),
                Duration.ofNanos(System.nanoTime() - began),
                request.workdir(),
                false,
                breach.orElse(""));
    }

    /** crun writes the process id about when the program starts. */
    private OptionalLong init(Process container) throws InterruptedException {
        OptionalLong init = folder.init();
        while (init.isEmpty() && container.isAlive()) {
            Thread.sleep(PAUSE_MILLIS);
            init = folder.init();
        }
        return init;
    }

    /** Ends what is left of it, also where this thread is told to stop. */
    private void end(Process container) {
        if (!container.isAlive()) {
            return;
        }
        boolean interrupted = Thread.interrupted();
        long deadline = System.nanoTime() + ENDING.toNanos();
        try {
            do {
                kill();
                container.waitFor(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            } while (container.isAlive() && System.nanoTime() < deadline);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (container.isAlive()) {
            container.descendants().forEach(ProcessHandle::destroyForcibly);
            container.destroyForcibly();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void kill() {
        folder.init().ifPresent(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
    }

    /** Ends it early: its run fails. */
    void stop() {
        stopped = true;
        kill();
    }

    private List<WrittenFile> written() throws IOException {
        UpperLayer upper = new UpperLayer(folder.upper());
        List<WrittenFile> files = new ArrayList<>();
        for (String path : run.results()) {
            upper.read(path, run.maxResultBytes()).ifPresent(files::add);
        }
        return files;
    }

    CellStatus status(ProcessTable table) {
        List<ProcessTable.Entry> entries =
                processes.map(known -> known.in(table)).orElse(List.of());
        return new CellStatus(
                spec.id(),
                CellStatus.State.RUNNING,
                Duration.ofNanos(System.nanoTime() - madeAt),
                0,
                entries.size() + 1,
                entries.stream().mapToLong(ProcessTable.Entry::privateBytes).sum());
    }

    @Override
    public CellSpec spec() {
        return spec;
    }

    @Override
    public CellFolder folder() {
        return folder;
    }

    @Override
    public CellProcesses processes() {
        return processes.orElseThrow();
    }

    @Override
    public LimitBreaches breaches() {
        return breaches;
    }

    @Override
    public boolean busy() {
        return true;
    }

    @Override
    public boolean live() {
        return live;
    }
}
