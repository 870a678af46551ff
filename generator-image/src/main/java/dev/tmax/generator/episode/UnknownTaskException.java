package dev.tmax.generator.episode;

/** The trainer named a task that is not here. */
final class UnknownTaskException extends Exception {

    private static final long serialVersionUID = 1L;

    UnknownTaskException(String message) {
        super(message);
    }
}
