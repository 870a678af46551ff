package dev.tmax.tasks;

import java.nio.file.Path;

/** A path that holds no tasks at all: it does not exist, is no folder, or is empty. */
public final class UnreadableTaskSetException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnreadableTaskSetException(Path path, String reason, String remedy) {
        super(path + ": " + reason + "; " + remedy);
    }
}
