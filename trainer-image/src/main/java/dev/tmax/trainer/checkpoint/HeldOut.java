package dev.tmax.trainer.checkpoint;

import dev.tmax.trainer.dispatch.HeldOutResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Measurements on held-out tasks, kept beside the snapshots so that a restarted trainer does not make them again.
 *
 * @param before the first step; null until measured
 * @param after the step {@code afterStep}; null until measured
 */
public record HeldOut(HeldOutResult before, HeldOutResult after, int afterStep) {

    private static final String FILE = "held-out.json";

    public static HeldOut read(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        return Files.exists(file) ? Durable.JSON.readValue(file.toFile(), HeldOut.class) : new HeldOut(null, null, 0);
    }

    public void write(Path folder) throws IOException {
        Durable.write(folder.resolve(FILE), Durable.JSON.writeValueAsBytes(this));
    }

    public HeldOut withBefore(HeldOutResult result) {
        return new HeldOut(result, after, afterStep);
    }

    public HeldOut withAfter(HeldOutResult result, int step) {
        return new HeldOut(before, result, step);
    }

    /** The measurement after this step, which is the last. */
    public Optional<HeldOutResult> after(int lastStep) {
        return afterStep == lastStep ? Optional.ofNullable(after) : Optional.empty();
    }
}
