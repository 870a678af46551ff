package dev.tmax.envrunner;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** When the env-runner ends: told to, its lease not renewed, or its deadline over. */
final class Life {

    private static final Duration LONGEST_LOOK_AWAY = Duration.ofSeconds(1);

    private final long deadline;
    private final CountDownLatch finished = new CountDownLatch(1);
    private String holder = "";
    private Duration ttl;
    private long leaseEnd;

    Life(Duration firstLease, Optional<Duration> deadline) {
        long now = System.nanoTime();
        this.ttl = firstLease;
        this.leaseEnd = now + firstLease.toNanos();
        this.deadline = now + deadline.orElse(Duration.ofDays(365)).toNanos();
    }

    synchronized void lease(String newHolder, Duration newTtl) {
        holder = newHolder;
        ttl = newTtl;
        leaseEnd = System.nanoTime() + newTtl.toNanos();
    }

    synchronized void heartbeat() {
        leaseEnd = System.nanoTime() + ttl.toNanos();
    }

    void finish() {
        finished.countDown();
    }

    /** Seconds until the lease ends. */
    synchronized double leaseSeconds() {
        return (leaseEnd - System.nanoTime()) / 1e9;
    }

    /**
     * Waits for the end.
     *
     * @return why
     */
    String awaitEnd() throws InterruptedException {
        while (true) {
            long now = System.nanoTime();
            synchronized (this) {
                if (leaseEnd - now <= 0) {
                    return holder.isEmpty()
                            ? "nobody took a lease within " + ttl.toSeconds() + " s"
                            : "the lease of " + holder + " was not renewed for " + ttl.toMillis() + " ms";
                }
            }
            if (deadline - now <= 0) {
                return "the deadline is over";
            }
            long wait = Math.min(
                    Math.min(LONGEST_LOOK_AWAY.toNanos(), deadline - now), Math.max(1, (long) (leaseSeconds() * 1e9)));
            if (finished.await(wait, TimeUnit.NANOSECONDS)) {
                return "told to finish";
            }
        }
    }
}
