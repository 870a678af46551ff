package dev.tmax.generator.decode;

/** A turn could not be decoded. */
public final class DecodingException extends Exception {

    private static final long serialVersionUID = 1L;

    DecodingException(Throwable cause) {
        super(cause.getMessage() == null ? cause.toString() : cause.getMessage(), cause);
    }
}
