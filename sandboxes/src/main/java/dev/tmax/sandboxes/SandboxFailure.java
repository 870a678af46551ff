package dev.tmax.sandboxes;

/**
 * The sandbox, not the command, failed. Never a reward: the attempt ends as an infrastructure failure and is issued again
 * elsewhere.
 */
public final class SandboxFailure extends Exception {

    private static final long serialVersionUID = 1L;

    private final Reason reason;

    public SandboxFailure(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public SandboxFailure(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }

    /** What kind of failure. */
    public enum Reason {
        /** No answer within the time, or no connection, also after retries. */
        UNREACHABLE,
        /** Wrong token. */
        UNAUTHORIZED,
        /** No such cell, file or command. */
        NOT_FOUND,
        /** The cell exists already, was used already, or is sealed. */
        CONFLICT,
        /** Larger than asked for or allowed. */
        TOO_LARGE,
        /** The request itself is wrong; the message says how. */
        BAD_REQUEST,
        /** The cell ended: killed, or its host is shutting down. */
        CELL_LOST,
        /** The calling thread was interrupted; its interrupt status is set again. */
        INTERRUPTED,
        /** The host could not do it. */
        INTERNAL
    }
}
