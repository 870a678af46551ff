package dev.tmax.generator.connect;

import dev.tmax.contracts.rollout.FromGenerator;
import io.grpc.stub.ClientCallStreamObserver;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Messages to the trainer over one stream. Senders wait while the trainer is not reading, so that nothing piles up here.
 * Thread-safe; use virtual threads.
 */
public final class Outbound {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ClientCallStreamObserver<FromGenerator> call;
    private boolean closed;

    Outbound(ClientCallStreamObserver<FromGenerator> call) {
        this.call = call;
    }

    /** Sends a message as soon as the trainer reads. */
    public void send(FromGenerator message) throws StreamClosedException, InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!closed && !call.isReady()) {
                changed.await();
            }
            if (closed) {
                throw new StreamClosedException();
            }
            call.onNext(message);
        } finally {
            lock.unlock();
        }
    }

    /** Sends a message unless the trainer is busy: for news that will come again. */
    public void offer(FromGenerator message) {
        lock.lock();
        try {
            if (!closed && call.isReady()) {
                call.onNext(message);
            }
        } finally {
            lock.unlock();
        }
    }

    public boolean isOpen() {
        lock.lock();
        try {
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    void readinessChanged() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void closed() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
