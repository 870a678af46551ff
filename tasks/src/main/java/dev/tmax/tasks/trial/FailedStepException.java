package dev.tmax.tasks.trial;

/** A step that cannot be judged because of the task itself: its setup or a health check failed. The message says why. */
final class FailedStepException extends Exception {
    private static final long serialVersionUID = 1;

    FailedStepException(String message) {
        super(message);
    }
}
