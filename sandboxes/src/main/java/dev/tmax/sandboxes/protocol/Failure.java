package dev.tmax.sandboxes.protocol;

import dev.tmax.sandboxes.SandboxFailure;

/** Answer of every request that failed. */
public record Failure(SandboxFailure.Reason reason, String message) {

    public static Failure of(SandboxFailure failure) {
        return new Failure(failure.reason(), failure.getMessage());
    }

    /** HTTP status that goes with the reason. */
    public int status() {
        return switch (reason) {
            case UNAUTHORIZED -> 401;
            case NOT_FOUND -> 404;
            case CONFLICT -> 409;
            case TOO_LARGE -> 413;
            case BAD_REQUEST -> 400;
            case CELL_LOST -> 410;
            case UNREACHABLE, INTERRUPTED -> 503;
            case INTERNAL -> 500;
        };
    }
}
