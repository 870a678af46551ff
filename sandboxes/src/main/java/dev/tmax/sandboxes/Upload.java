package dev.tmax.sandboxes;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/**
 * A folder made anew in a cell, whatever lay at its path: it holds the content of an archive and nothing else.
 *
 * @param folder absolute, as seen in the cell; folders above it are real ones afterwards
 * @param mode permissions of the folder
 * @param tar what goes into it
 */
public record Upload(String folder, int mode, Archive tar) {

    public Upload {
        Objects.requireNonNull(tar, "tar");
        Bounds.requireFilePath("upload", folder);
    }

    /** A tar archive, opened at most once. */
    @FunctionalInterface
    public interface Archive {

        /** Closed by whoever opens it. */
        InputStream open() throws IOException;
    }

    /** An empty folder. */
    public static Upload empty(String folder, int mode) {
        return new Upload(folder, mode, InputStream::nullInputStream);
    }
}
