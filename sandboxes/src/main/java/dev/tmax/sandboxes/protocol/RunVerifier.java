package dev.tmax.sandboxes.protocol;

import dev.tmax.sandboxes.CellLimits;
import dev.tmax.sandboxes.Network;
import dev.tmax.sandboxes.Upload;
import dev.tmax.sandboxes.VerifierRun;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * First entry, {@link #ENTRY}, of the tar archive that is the body of {@code POST /v1/verifiers}. After it comes an entry for
 * each of {@code uploads}, in order: the tar archive of its content.
 *
 * @param requestId the same when a request is sent again after its answer was lost
 * @param network null: NONE
 * @param limits null: defaults
 * @param restored null: nothing
 * @param uploads null: none
 * @param files content in base64 by absolute path; null: none
 * @param results null: none
 */
public record RunVerifier(
        String requestId,
        String id,
        String attempt,
        Network network,
        CellLimits limits,
        List<String> restored,
        List<Folder> uploads,
        Map<String, byte[]> files,
        RunProcess process,
        List<String> results,
        int maxResultBytes) {

    /** Name of the entry with this record. */
    public static final String ENTRY = "request.json";

    /**
     * A folder made anew.
     *
     * @param path absolute, as seen in the cell
     * @param mode permissions, in decimal as JSON has it
     */
    public record Folder(String path, int mode) {}

    public static RunVerifier of(String requestId, VerifierRun run) {
        return new RunVerifier(
                requestId,
                run.id(),
                run.attempt(),
                run.network(),
                run.limits(),
                run.restored(),
                run.uploads().stream()
                        .map(upload -> new Folder(upload.folder(), upload.mode()))
                        .toList(),
                run.files(),
                RunProcess.of(requestId, run.process()),
                run.results(),
                run.maxResultBytes());
    }

    /**
     * @param archives content of the uploads by their index, opened in order
     */
    public VerifierRun run(IntFunction<Upload.Archive> archives) {
        if (process == null) {
            throw new IllegalArgumentException("process: missing");
        }
        List<Folder> folders = uploads == null ? List.of() : uploads;
        return new VerifierRun(
                id == null ? "" : id,
                attempt == null ? "" : attempt,
                network == null ? Network.NONE : network,
                limits == null ? CellLimits.DEFAULT : limits,
                restored == null ? List.of() : restored,
                IntStream.range(0, folders.size())
                        .mapToObj(i ->
                                new Upload(folders.get(i).path(), folders.get(i).mode(), archives.apply(i)))
                        .toList(),
                files == null ? Map.of() : files,
                process.request(),
                results == null ? List.of() : results,
                maxResultBytes);
    }
}
