package dev.tmax.contracts.weights;

import java.io.IOException;

/** Bytes that are no patch, or none for this state. The remedy is to fetch the whole state. */
public final class PatchFormatException extends IOException {

    private static final long serialVersionUID = 1L;

    PatchFormatException(String what) {
        super("not a usable weight patch: " + what);
    }
}
