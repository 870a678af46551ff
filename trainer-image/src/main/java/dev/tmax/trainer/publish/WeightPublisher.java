package dev.tmax.trainer.publish;

import dev.tmax.contracts.configuration.WeightSync;
import dev.tmax.contracts.rollout.Announce;
import dev.tmax.model.train.PublishedWeights;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes versions of the weights available: digest and patch are computed once, beside the learner, and then the version
 * is announced. The newest two are kept, and older ones for as long as someone still reads them. Thread-safe.
 */
public final class WeightPublisher implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WeightPublisher.class);

    private final WeightSync.Mode mode;
    private final Consumer<Announce> announcements;
    private final ExecutorService preparing = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("publish").daemon().factory());
    private Optional<PublishedVersion> newest = Optional.empty();
    private Optional<PublishedVersion> before = Optional.empty();
    private boolean closed;

    /** @param announcements told of every version as soon as it can be fetched */
    public WeightPublisher(WeightSync.Mode mode, Consumer<Announce> announcements) {
        this.mode = mode;
        this.announcements = announcements;
    }

    /**
     * Publishes a version.
     *
     * @param weights closed by the publisher, when nobody needs them any more
     * @return done when it is announced
     */
    public CompletableFuture<Void> publish(PublishedWeights weights) {
        return CompletableFuture.runAsync(() -> prepare(weights), preparing);
    }

    private void prepare(PublishedWeights weights) {
        long start = System.nanoTime();
        Optional<PublishedVersion> base = acquireNewest();
        Optional<PublishedVersion.Patch> patch = Optional.empty();
        if (base.isPresent()) {
            PublishedVersion from = base.get();
            if (mode == WeightSync.Mode.PATCH
                    && from.weights().totalBytes() == weights.totalBytes()
                    && from.version() != weights.version()) {
                patch = PatchBytes.between(from.weights(), weights)
                        .map(bytes -> new PublishedVersion.Patch(from.version(), bytes));
            }
            from.release();
        }
        PublishedVersion version = new PublishedVersion(weights, patch);
        if (!replaceNewest(version)) {
            return;
        }
        LOG.info(
                "weights {} published in {} ms: {} bytes, patch {}",
                version.version(),
                (System.nanoTime() - start) / 1_000_000,
                weights.totalBytes(),
                version.patchBytes());
        announcements.accept(Announce.newBuilder()
                .setPolicyVersion(version.version())
                .setFullBytes(weights.totalBytes())
                .setPatchBytes(version.patchBytes())
                .setSha256(version.sha256())
                .build());
    }

    private synchronized Optional<PublishedVersion> acquireNewest() {
        newest.ifPresent(PublishedVersion::hold);
        return newest;
    }

    private synchronized boolean replaceNewest(PublishedVersion version) {
        if (closed) {
            version.release();
            return false;
        }
        before.ifPresent(PublishedVersion::release);
        before = newest;
        newest = Optional.of(version);
        return true;
    }

    /** A version, held for the caller until it releases it; empty where it is gone or was never there. */
    synchronized Optional<PublishedVersion> acquire(long version) {
        Optional<PublishedVersion> found = newest.filter(candidate -> candidate.version() == version)
                .or(() -> before.filter(candidate -> candidate.version() == version));
        found.ifPresent(PublishedVersion::hold);
        return found;
    }

    @Override
    public void close() {
        preparing.shutdown();
        synchronized (this) {
            closed = true;
            newest.ifPresent(PublishedVersion::release);
            before.ifPresent(PublishedVersion::release);
            newest = Optional.empty();
            before = Optional.empty();
        }
    }
}
