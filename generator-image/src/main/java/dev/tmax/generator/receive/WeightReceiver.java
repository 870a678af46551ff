package dev.tmax.generator.receive;

import dev.tmax.contracts.rollout.Applied;
import dev.tmax.contracts.weights.Manifest;
import dev.tmax.generator.decode.Decoder;
import dev.tmax.generator.decode.DecodingException;
import dev.tmax.generator.serve.GeneratorMetrics;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings announced weights into the decoder, the newest announcement first: fetch, verify, swap. Decoding goes on
 * meanwhile. One state is kept, which patches change in place.
 */
public final class WeightReceiver implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WeightReceiver.class);
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final long NOTHING = -1;

    private final String generatorId;
    private final Decoder decoder;
    private final GeneratorMetrics metrics;
    private final BlockingQueue<Announcement> newest = new ArrayBlockingQueue<>(1);
    private final CompletableFuture<Void> failure = new CompletableFuture<>();
    private final Thread thread;

    // Owned by the thread.
    private ReceivedState state;
    private Manifest manifest;
    private long version = NOTHING;

    public WeightReceiver(String generatorId, Decoder decoder, GeneratorMetrics metrics) {
        this.generatorId = generatorId;
        this.decoder = decoder;
        this.metrics = metrics;
        this.thread = Thread.ofVirtual().name("weight-receiver").start(this::run);
    }

    /** Takes note of an announcement; one that was not begun yet is forgotten. */
    public synchronized void announced(Announcement announcement) {
        newest.clear();
        newest.add(announcement);
    }

    /** Completes exceptionally where no retry can help: the trainer's model is another. */
    public CompletableFuture<Void> failure() {
        return failure.copy();
    }

    private void run() {
        try {
            while (true) {
                bring(newest.take());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | DecodingException e) {
            failure.completeExceptionally(e);
        } finally {
            forget();
        }
    }

    /** Tries until the weights are in, a newer announcement comes, or the trainer is gone. */
    private void bring(Announcement announcement) throws InterruptedException, DecodingException {
        long wanted = announcement.announce().getPolicyVersion();
        while (announcement.current().getAsBoolean() && newest.isEmpty()) {
            try {
                apply(announcement);
                return;
            } catch (StatusRuntimeException e) {
                if (e.getStatus().getCode() == Status.Code.NOT_FOUND) {
                    LOG.info("weights {}: gone at the trainer, waiting for the next announcement", wanted);
                    return;
                }
                LOG.warn("weights {}: {}; trying again", wanted, e.getMessage());
            } catch (IOException e) {
                LOG.warn("weights {}: {}; fetching the whole", wanted, e.getMessage());
            }
            version = NOTHING;
            Thread.sleep(RETRY);
        }
    }

    private void apply(Announcement announcement) throws IOException, InterruptedException, DecodingException {
        long start = System.nanoTime();
        long wanted = announcement.announce().getPolicyVersion();
        boolean patched = false;
        if (!isAtHand(announcement)) {
            patched = fetch(announcement);
        }
        decoder.swap(wanted, state.tensors(manifest));
        double seconds = (System.nanoTime() - start) / 1e9;
        metrics.weightsApplied(wanted, seconds);
        LOG.info("weights {}: applied in {} s{}", wanted, "%.2f".formatted(seconds), patched ? " by a patch" : "");
        announcement
                .applied()
                .accept(Applied.newBuilder()
                        .setPolicyVersion(wanted)
                        .setSha256(manifest.getSha256())
                        .setSeconds(seconds)
                        .setPatched(patched)
                        .build());
    }

    /** The digest decides: after a trainer went back to a checkpoint, a version number can come again. */
    private boolean isAtHand(Announcement announcement) {
        return version != NOTHING
                && manifest.getSha256().equals(announcement.announce().getSha256());
    }

    /** Returns whether a patch was enough. */
    private boolean fetch(Announcement announcement) throws IOException {
        long wanted = announcement.announce().getPolicyVersion();
        Fetch fetch = Fetch.open(announcement.trainer(), generatorId, version, wanted);
        Manifest next = fetch.manifest();
        if (fetch.isPatch() && (version == NOTHING || next.getBaseVersion() != version)) {
            throw new IOException(
                    "a patch from version " + next.getBaseVersion() + ", but version " + version + " is at hand");
        }
        // From here on the state is neither the old one nor yet the new one.
        version = NOTHING;
        makeRoom(next.getStateBytes());
        fetch.into(state.bytes());
        String digest = state.digest();
        if (!digest.equals(next.getSha256())) {
            throw new IOException("SHA-256 " + digest + ", expected " + next.getSha256());
        }
        version = wanted;
        manifest = next;
        metrics.weightsReceived(next.getDataBytes(), fetch.isPatch());
        return fetch.isPatch();
    }

    private void makeRoom(long size) {
        if (state == null || state.bytes().byteSize() != size) {
            forget();
            state = new ReceivedState(size);
        }
    }

    private void forget() {
        if (state != null) {
            state.close();
            state = null;
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
