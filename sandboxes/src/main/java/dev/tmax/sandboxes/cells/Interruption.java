package dev.tmax.sandboxes.cells;

import dev.tmax.sandboxes.SandboxFailure;
import dev.tmax.sandboxes.SandboxFailure.Reason;

/** Turns an interruption into the failure that says so. */
final class Interruption {

    private Interruption() {}

    static SandboxFailure of(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new SandboxFailure(Reason.INTERRUPTED, "interrupted while working on a cell", e);
    }
}
