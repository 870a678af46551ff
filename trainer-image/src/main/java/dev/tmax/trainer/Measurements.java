package dev.tmax.trainer;

import dev.tmax.contracts.status.RunStatus.Phase;
import dev.tmax.tasks.Task;
import dev.tmax.trainer.checkpoint.HeldOut;
import dev.tmax.trainer.dispatch.Dispatcher;
import dev.tmax.trainer.dispatch.HeldOutResult;
import dev.tmax.trainer.serve.Requests;
import dev.tmax.trainer.serve.TrainerMetrics;
import dev.tmax.trainer.status.Progress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Measures the held-out tasks before the first and after the last step, once each, also over restarts. */
final class Measurements {

    private static final Logger LOG = LoggerFactory.getLogger(Measurements.class);

    private final List<Task> tasks;
    private final int attempts;
    private final Path folder;
    private final Dispatcher dispatcher;
    private final Progress progress;
    private final Requests requests;
    private final TrainerMetrics metrics;
    private HeldOut results;

    /**
     * @param tasks none where the run has no evaluation
     * @param folder where results are kept
     */
    Measurements(
            List<Task> tasks,
            int attempts,
            Path folder,
            Dispatcher dispatcher,
            Progress progress,
            Requests requests,
            TrainerMetrics metrics)
            throws IOException {
        this.tasks = List.copyOf(tasks);
        this.attempts = attempts;
        this.folder = folder;
        this.dispatcher = dispatcher;
        this.progress = progress;
        this.requests = requests;
        this.metrics = metrics;
        keep(HeldOut.read(folder));
    }

    /** Returns false if it was interrupted. */
    boolean before() throws IOException, InterruptedException {
        if (tasks.isEmpty() || results.before() != null) {
            return true;
        }
        Optional<HeldOutResult> result = measure("before", "before the first step");
        if (result.isPresent()) {
            save(results.withBefore(result.get()));
        }
        return result.isPresent();
    }

    /** Returns false if it was interrupted. */
    boolean after(int step) throws IOException, InterruptedException {
        if (tasks.isEmpty() || results.after(step).isPresent()) {
            return true;
        }
        Optional<HeldOutResult> result = measure("after", "after the last step");
        if (result.isPresent()) {
            save(results.withAfter(result.get(), step));
        }
        return result.isPresent();
    }

    private Optional<HeldOutResult> measure(String label, String when) throws InterruptedException {
        progress.phase(Phase.EVALUATING, "measuring %d held-out tasks %s".formatted(tasks.size(), when));
        long start = System.nanoTime();
        Optional<HeldOutResult> result = dispatcher.measure(label, tasks, attempts, requests::ending);
        double seconds = (System.nanoTime() - start) / 1e9;
        progress.spent(Progress.Activity.EVALUATING, seconds);
        result.ifPresent(measured -> LOG.info(
                "held-out tasks {}: reward {} over {} attempts, {} failed, {} s",
                when,
                measured.mean(),
                measured.attempts(),
                measured.failed(),
                Math.round(seconds)));
        return result;
    }

    private void save(HeldOut measured) throws IOException {
        measured.write(folder);
        keep(measured);
    }

    private void keep(HeldOut measured) {
        results = measured;
        progress.heldOut(measured);
        if (measured.before() != null) {
            metrics.heldOut("before", measured.before().mean());
        }
        if (measured.after() != null) {
            metrics.heldOut("after", measured.after().mean());
        }
    }
}
