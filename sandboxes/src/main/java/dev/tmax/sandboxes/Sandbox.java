package dev.tmax.sandboxes;

import java.io.InputStream;
import java.time.Duration;
import java.util.List;

/**
 * One host of cells: a sandbox pod, or this machine.
 *
 * <p>A cell is a fresh container over the host's root file system, for one attempt, used once. Methods may be called by
 * many threads; commands of one cell run one after another. Every method throws {@link SandboxFailure} where the
 * infrastructure failed; what a command did, however bad, is always a {@link CommandResult}.
 */
public interface Sandbox extends AutoCloseable {

    /**
     * Makes a cell.
     *
     * <p>With {@link CellSpec#base} it is stacked on the changes of another cell, which is sealed first: its processes
     * end and it takes no more commands.
     *
     * @throws SandboxFailure with {@link SandboxFailure.Reason#CONFLICT} where a cell of this id was ever made here
     */
    void createCell(CellSpec spec) throws SandboxFailure;

    /** Runs a command in the cell's persistent shell; the same {@link CommandRequest#commandId} never runs twice. */
    CommandResult run(String cellId, CommandRequest request) throws SandboxFailure;

    /** Runs a program directly, without the cell's shell, and waits for it to end; what it left running is killed. */
    CommandResult execute(String cellId, ProcessRequest request) throws SandboxFailure;

    /**
     * Runs a program once over what an attempt left behind, in a cell of its own that is stacked on the attempt's changes:
     * none of the attempt's processes are there. Afterwards nothing is left of that cell. {@link #deleteCell} with its id
     * ends it early.
     */
    VerifierResult verify(VerifierRun run) throws SandboxFailure;

    /**
     * Unpacks a tar archive in a folder of the cell, which is made where missing. Names and links resolve inside the cell
     * only. Owners are root.
     *
     * @param path absolute, as seen in the cell
     * @param tar closed by the caller
     */
    void putFiles(String cellId, String path, InputStream tar) throws SandboxFailure;

    /**
     * Files and folders of the cell as a tar archive of absolute names without the first slash; links are not followed.
     *
     * @param paths absolute, as seen in the cell; those that do not exist are left out
     * @param maxBytes bound of the archive
     * @throws SandboxFailure with {@link SandboxFailure.Reason#NOT_FOUND} where none exists, or {@link
     *     SandboxFailure.Reason#TOO_LARGE}
     */
    byte[] getFiles(String cellId, List<String> paths, long maxBytes) throws SandboxFailure;

    /** What the cell changed in its root file system. */
    Changes changes(String cellId) throws SandboxFailure;

    /** Ends the cell's processes and removes what it wrote; a cell that is gone already is no error. */
    void deleteCell(String cellId) throws SandboxFailure;

    /** Cells that live here now. */
    List<CellStatus> cells() throws SandboxFailure;

    /** Takes or renews the lease of this host: it ends itself after {@code ttl} without renewal or heartbeat. */
    void lease(String holder, Duration ttl) throws SandboxFailure;

    /** Renews the lease for its time to live. */
    void heartbeat() throws SandboxFailure;

    /** Tells the host that it is needed no more: it ends itself. */
    void finish() throws SandboxFailure;

    /** Releases what this client holds; the host lives on, unless it is this machine: then its cells end. */
    @Override
    void close();
}
