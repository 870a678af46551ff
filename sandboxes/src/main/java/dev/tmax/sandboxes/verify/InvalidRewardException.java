package dev.tmax.sandboxes.verify;

/** A reward file that holds no valid reward; the message says why. */
final class InvalidRewardException extends Exception {

    private static final long serialVersionUID = 1L;

    InvalidRewardException(String message) {
        super(message);
    }
}
