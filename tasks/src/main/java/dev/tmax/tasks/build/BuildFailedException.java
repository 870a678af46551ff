package dev.tmax.tasks.build;

/** A builder could not do what it was asked to; the message ends with what it said. */
public final class BuildFailedException extends Exception {
    private static final long serialVersionUID = 1;

    BuildFailedException(String message) {
        super(message);
    }

    BuildFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
