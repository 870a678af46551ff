package dev.tmax.sandboxes;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A program to run once over what an attempt left behind, out of the attempt's reach.
 *
 * @param id of the cell that is made for it; as in {@link CellSpec#id}
 * @param attempt cell that is judged; it is sealed: its processes end and it takes no more commands
 * @param network what the program can reach
 * @param limits bounds of its cell
 * @param restored as in {@link CellSpec#restored}
 * @param uploads folders made anew
 * @param files content of files made anew, by absolute path
 * @param process the program; its {@link ProcessRequest#workdir} is made where missing and its user may; its input is empty
 * @param results absolute paths of files to read afterwards, where the program wrote them
 * @param maxResultBytes larger files are found but not read
 */
public record VerifierRun(
        String id,
        String attempt,
        Network network,
        CellLimits limits,
        List<String> restored,
        List<Upload> uploads,
        Map<String, byte[]> files,
        ProcessRequest process,
        List<String> results,
        int maxResultBytes) {

    private static final int LARGEST_RESULT = 16 << 20;

    public VerifierRun {
        uploads = List.copyOf(uploads);
        files = Map.copyOf(files);
        results = List.copyOf(results);
        Objects.requireNonNull(process, "process");
        restored = cell(id, attempt, network, limits, restored).restored();
        files.keySet().forEach(path -> Bounds.requireFilePath("files", path));
        results.forEach(path -> Bounds.requireFilePath("results", path));
        if (maxResultBytes < 0 || maxResultBytes > LARGEST_RESULT) {
            throw new IllegalArgumentException("maxResultBytes " + maxResultBytes + ": use 0 to " + LARGEST_RESULT);
        }
    }

    /** The cell that is made for it. */
    public CellSpec cell() {
        return cell(id, attempt, network, limits, restored)
                .withUser(process.user())
                .withWorkdir(process.workdir())
                .withEnvironment(process.environment());
    }

    private static CellSpec cell(String id, String attempt, Network network, CellLimits limits, List<String> restored) {
        return CellSpec.of(id)
                .stackedOn(attempt)
                .withNetwork(network)
                .withLimits(limits)
                .withRestored(restored);
    }
}
