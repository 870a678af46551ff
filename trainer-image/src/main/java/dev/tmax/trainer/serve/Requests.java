package dev.tmax.trainer.serve;

import java.util.concurrent.atomic.AtomicBoolean;

/** What others ask of the training loop, which looks here between steps. Thread-safe. */
public final class Requests {

    private final AtomicBoolean checkpoint = new AtomicBoolean();
    private volatile boolean drain;
    private volatile boolean stop;
    private volatile Runnable wake = () -> {};

    /** @param newWake makes the training loop look, if it waits */
    public void onRequest(Runnable newWake) {
        wake = newWake;
    }

    public void checkpoint() {
        checkpoint.set(true);
        changed();
    }

    /** Checkpoint, then nothing more until the process ends. */
    public void drain() {
        drain = true;
        changed();
    }

    /** End the process. */
    public void stop() {
        stop = true;
        changed();
    }

    public boolean anything() {
        return checkpoint.get() || ending();
    }

    /** Whether the loop is to end. */
    public boolean ending() {
        return drain || stop;
    }

    /** Waits for a request; returns at once while there is one. */
    public synchronized void await() throws InterruptedException {
        while (!anything()) {
            wait();
        }
    }

    /** Waits until the process is to end. */
    public synchronized void awaitStop() throws InterruptedException {
        while (!stop) {
            wait();
        }
    }

    private void changed() {
        synchronized (this) {
            notifyAll();
        }
        wake.run();
    }

    /** Whether a checkpoint was asked for since the last call. */
    public boolean takeCheckpoint() {
        return checkpoint.getAndSet(false);
    }
}
