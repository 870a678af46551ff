package dev.tmax.trainer.checkpoint;

import java.util.List;

/**
 * The last file of a snapshot: a snapshot is complete exactly when this lies in it.
 *
 * @param parent name of the snapshot that the process had started from or written before; null for none
 * @param reward mean of the step
 * @param time ISO-8601 instant
 */
record Manifest(
        int format,
        int step,
        long policyVersion,
        String parent,
        double reward,
        String time,
        boolean huggingFace,
        List<Entry> files) {

    static final int FORMAT = 1;

    Manifest {
        files = List.copyOf(files);
    }

    /** One file, by its path within the snapshot. */
    record Entry(String path, long bytes, String sha256) {}

    long bytes() {
        return files.stream().mapToLong(Entry::bytes).sum();
    }
}
