package dev.tmax.generator.connect;

/** The stream that an episode came by is gone; the trainer issues the episode again elsewhere. */
public final class StreamClosedException extends Exception {

    private static final long serialVersionUID = 1L;

    StreamClosedException() {
        super("the stream to the trainer is closed");
    }
}
