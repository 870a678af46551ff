package dev.tmax.tasks.trial;

/** There is nothing that an environment could run in; the message says why and what to do. */
public final class NoHostException extends Exception {
    private static final long serialVersionUID = 1;

    public NoHostException(String message) {
        super(message);
    }

    public NoHostException(String message, Throwable cause) {
        super(message, cause);
    }
}
