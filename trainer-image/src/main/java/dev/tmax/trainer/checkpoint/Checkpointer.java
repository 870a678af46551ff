package dev.tmax.trainer.checkpoint;

import dev.tmax.contracts.status.RunStatus;
import dev.tmax.model.train.TrainingEngine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes snapshots beside the training loop: the loop stands still only while weights and moments are written; digests,
 * disk and renaming follow in the background, one snapshot at a time. Used by the training loop's thread.
 */
public final class Checkpointer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Checkpointer.class);

    private final CheckpointStore store;
    private final TrainingEngine engine;
    private final boolean export;
    private final Consumer<List<RunStatus.Snapshot>> complete;
    private final ExecutorService finishing = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("checkpoint").daemon().factory());
    private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);
    private int lastStep;

    /**
     * @param export whether each snapshot holds the model in Hugging Face layout too
     * @param lastStep of the snapshot that the run goes on from; negative for none
     * @param complete told, in the background, of all complete snapshots whenever they change
     */
    public Checkpointer(
            CheckpointStore store,
            TrainingEngine engine,
            boolean export,
            int lastStep,
            Consumer<List<RunStatus.Snapshot>> complete) {
        this.store = store;
        this.engine = engine;
        this.export = export;
        this.lastStep = lastStep;
        this.complete = complete;
    }

    /** Step of the newest snapshot, complete or about to be; negative if there is none. */
    public int lastStep() {
        return lastStep;
    }

    /**
     * Begins a snapshot of the engine as it is.
     *
     * @param reward mean of the step
     * @throws IOException if its files could not be written, or the snapshot before could not be finished
     */
    public void take(TrainerState state, double reward) throws IOException {
        finish();
        CheckpointStore.Unfinished unfinished = store.write(
                state,
                engine.version(),
                reward,
                engine::save,
                export ? Optional.of(engine::exportHuggingFace) : Optional.empty());
        lastStep = state.step();
        last = CompletableFuture.runAsync(() -> complete(unfinished), finishing);
    }

    private void complete(CheckpointStore.Unfinished unfinished) {
        long start = System.nanoTime();
        try {
            RunStatus.Snapshot snapshot = store.finish(unfinished);
            LOG.info(
                    "checkpoint {} complete: {} bytes, {} ms",
                    snapshot.name(),
                    snapshot.sizeBytes(),
                    (System.nanoTime() - start) / 1_000_000);
            complete.accept(store.snapshots());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Waits until the newest snapshot counts.
     *
     * @throws IOException if it could not be brought to the disk
     */
    public void finish() throws IOException {
        CompletableFuture<Void> waited = last;
        last = CompletableFuture.completedFuture(null);
        try {
            waited.join();
        } catch (CompletionException e) {
            lastStep = -1;
            throw new IOException("checkpoint not written: " + e.getCause().getMessage(), e.getCause());
        }
    }

    /** The newest complete snapshot. */
    public Optional<CheckpointStore.Stored> newest() throws IOException {
        finish();
        return store.newest();
    }

    @Override
    public void close() {
        finishing.close();
    }
}
