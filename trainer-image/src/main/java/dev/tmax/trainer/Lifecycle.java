package dev.tmax.trainer;

import dev.tmax.contracts.status.RunStatus.Phase;
import dev.tmax.trainer.cells.Cells;
import dev.tmax.trainer.dispatch.Dispatcher;
import dev.tmax.trainer.serve.Requests;
import dev.tmax.trainer.status.Progress;
import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The phases of a run around its training loop: measure, train, measure, succeed; or pause, or drain. */
final class Lifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(Lifecycle.class);

    private final TrainingLoop loop;
    private final Measurements measurements;
    private final Dispatcher dispatcher;
    private final Cells cells;
    private final Progress progress;
    private final Requests requests;
    private final Path folder;

    Lifecycle(
            TrainingLoop loop,
            Measurements measurements,
            Dispatcher dispatcher,
            Cells cells,
            Progress progress,
            Requests requests,
            Path folder) {
        this.loop = loop;
        this.measurements = measurements;
        this.dispatcher = dispatcher;
        this.cells = cells;
        this.progress = progress;
        this.requests = requests;
        this.folder = folder;
    }

    /** Returns when the process is asked to stop. */
    void run() throws IOException, InterruptedException {
        TrainingLoop.End end = measurements.before() ? loop.run() : new TrainingLoop.End.Asked();
        switch (end) {
            case TrainingLoop.End.Finished() -> finish();
            case TrainingLoop.End.Asked() -> drain();
            case TrainingLoop.End.Paused(String reason) -> pause(reason);
        }
    }

    private void finish() throws IOException, InterruptedException {
        loop.checkpointAndFinish();
        if (!measurements.after(loop.step())) {
            drain();
            return;
        }
        progress.phase(Phase.SUCCEEDED, "all " + loop.step() + " steps are done");
        Trainer.writeSummary(folder, progress.status().toJson());
        LOG.info("the run succeeded after {} steps", loop.step());
        dispatcher.stop(true);
        cells.close();
        requests.awaitStop();
    }

    private void pause(String reason) throws IOException, InterruptedException {
        LOG.warn("the run pauses: {}", reason);
        dispatcher.stop(false);
        loop.checkpointAndFinish();
        progress.phase(Phase.PAUSED, reason);
        while (!requests.ending()) {
            requests.takeCheckpoint();
            requests.await();
        }
        drain();
    }

    private void drain() throws IOException, InterruptedException {
        progress.phase(Phase.DRAINING, "writing a checkpoint");
        dispatcher.stop(true);
        loop.checkpointAndFinish();
        cells.close();
        progress.phase(Phase.DRAINED, "everything is in the checkpoint of step " + loop.step());
        LOG.info("drained after step {}", loop.step());
        requests.awaitStop();
    }
}
