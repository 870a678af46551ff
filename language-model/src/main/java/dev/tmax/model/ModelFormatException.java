package dev.tmax.model;

import java.nio.file.Path;

/**
 * A model folder or weights file that cannot be used. The message names the file, the key or tensor, what was found,
 * what was expected, and what to do about it.
 */
public final class ModelFormatException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ModelFormatException(Path file, String problem) {
        super(file + ": " + problem);
    }

    public ModelFormatException(Path file, String problem, Throwable cause) {
        super(file + ": " + problem, cause);
    }
}
