package dev.tmax.trainer;

import dev.tmax.contracts.configuration.Guardrails;
import dev.tmax.contracts.configuration.RunConfiguration;
import dev.tmax.contracts.status.RunStatus;
import dev.tmax.contracts.status.RunStatus.Phase;
import dev.tmax.model.train.TrainingEngine;
import dev.tmax.trainer.buffer.Batch;
import dev.tmax.trainer.checkpoint.CheckpointStore;
import dev.tmax.trainer.checkpoint.Checkpointer;
import dev.tmax.trainer.checkpoint.GroupTotals;
import dev.tmax.trainer.checkpoint.StepHistory;
import dev.tmax.trainer.checkpoint.TrainerState;
import dev.tmax.trainer.dispatch.Awaited;
import dev.tmax.trainer.dispatch.Dispatcher;
import dev.tmax.trainer.learn.Guardrail;
import dev.tmax.trainer.learn.LearnStatistics;
import dev.tmax.trainer.learn.Learner;
import dev.tmax.trainer.learn.StepResult;
import dev.tmax.trainer.publish.WeightPublisher;
import dev.tmax.trainer.schedule.PromptSchedule;
import dev.tmax.trainer.schedule.ScheduleState;
import dev.tmax.trainer.serve.Requests;
import dev.tmax.trainer.serve.TrainerMetrics;
import dev.tmax.trainer.status.Progress;
import dev.tmax.trainer.status.Progress.Activity;
import dev.tmax.trainer.status.StepRecord;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The run's main loop: wait for groups, learn, publish, checkpoint; until the last step, a request to end, or something
 * that only a person can decide. One thread.
 */
final class TrainingLoop {

    /** How the loop ended. */
    sealed interface End {

        /** All steps are done. */
        record Finished() implements End {}

        /** Somebody asked for it. */
        record Asked() implements End {}

        /** It would be wrong to go on. */
        record Paused(String reason) implements End {}
    }

    private static final Logger LOG = LoggerFactory.getLogger(TrainingLoop.class);
    private static final int MOST_SKIPPED_IN_A_ROW = 3;

    /** What the loop works with. */
    record Parts(
            RunConfiguration configuration,
            TrainingEngine engine,
            Learner learner,
            Dispatcher dispatcher,
            WeightPublisher publisher,
            Checkpointer checkpointer,
            StepHistory history,
            Progress progress,
            Requests requests,
            TrainerMetrics metrics,
            Function<ScheduleState, PromptSchedule> schedules) {}

    private final Parts parts;
    private final int steps;
    private TrainerState state;
    private int skippedInARow;
    private int lastRollback = Integer.MIN_VALUE;
    private CompletableFuture<Void> publishing = CompletableFuture.completedFuture(null);

    /** @param state that engine and schedule are in */
    TrainingLoop(Parts parts, TrainerState state) {
        this.parts = parts;
        this.state = state;
        this.steps = parts.configuration().recipe().steps();
        parts.progress().resumed(state.step(), state.rewards(), state.groups());
    }

    /** Steps done. */
    int step() {
        return state.step();
    }

    /** Makes the present weights available to generators, and waits until they are. */
    void publishNow() {
        publish();
        publishing.join();
    }

    End run() throws IOException, InterruptedException {
        parts.progress().phase(Phase.RUNNING, "training");
        issue();
        while (state.step() < steps) {
            if (parts.requests().ending()) {
                return new End.Asked();
            }
            if (parts.requests().takeCheckpoint()) {
                checkpoint();
            }
            long start = System.nanoTime();
            Awaited awaited = parts.dispatcher().awaitBatch(parts.requests()::anything);
            double waited = since(start);
            parts.progress().spent(Activity.WAITING, waited);
            switch (awaited) {
                case Awaited.Interrupted() -> {
                    // The request is looked at above.
                }
                case Awaited.Hopeless(String message) -> {
                    return new End.Paused(message);
                }
                case Awaited.Ready(Batch batch) -> {
                    Optional<String> stopped = step(batch, waited);
                    if (stopped.isPresent()) {
                        return new End.Paused(stopped.get());
                    }
                }
            }
        }
        return new End.Finished();
    }

    /** One step. Returns why the run has to pause, if it has. */
    private Optional<String> step(Batch batch, double waited) throws IOException {
        long start = System.nanoTime();
        StepResult result = learn(batch);
        parts.progress().spent(Activity.LEARNING, since(start));
        boolean applied = result instanceof StepResult.Applied;
        // A step without any group that says something is a step all the same, or the run might never end.
        boolean counts = applied || batch.groups().isEmpty();
        state = after(batch, counts);
        parts.dispatcher().settle(batch.settled());
        double publishingSeconds = applied && isPublished() ? publish() : 0;
        issue();
        StepRecord record = record(batch, result, waited, publishingSeconds, waited + since(start));
        parts.history().append(record);
        parts.progress()
                .phase(
                        Phase.RUNNING,
                        batch.groups().isEmpty()
                                ? "training; step %d taught nothing: no group had differing rewards"
                                        .formatted(state.step())
                                : "training");
        parts.progress().stepped(record, state.groups());
        parts.metrics().stepped(record);
        log(record);
        skippedInARow = counts ? 0 : skippedInARow + 1;
        if (skippedInARow >= MOST_SKIPPED_IN_A_ROW) {
            return Optional.of(
                    "%d steps in a row were skipped, the last because %s: lower the learning rate or resume from an earlier checkpoint"
                            .formatted(skippedInARow, record.skipped()));
        }
        Optional<String> stopped = guard(result.statistics(), applied);
        if (stopped.isEmpty() && counts && isCheckpointed()) {
            checkpoint();
        }
        return stopped;
    }

    private StepResult learn(Batch batch) {
        if (batch.groups().isEmpty()) {
            return new StepResult.Skipped(
                    LearnStatistics.none(), new StepResult.Seconds(0, 0), "no group has differing rewards");
        }
        return parts.learner().step(batch.groups(), parts.engine().version(), state.step());
    }

    private TrainerState after(Batch batch, boolean counts) {
        GroupTotals totals = state.groups().plus(batch.rollouts());
        List<Double> rewards = new ArrayList<>(state.rewards());
        if (counts) {
            rewards.add(batch.rollouts().reward());
        }
        return new TrainerState(
                state.run(),
                state.step() + (counts ? 1 : 0),
                state.schedule(),
                totals,
                rewards,
                state.skippedSteps() + (counts ? 0 : 1));
    }

    private void issue() {
        parts.dispatcher().train(parts.engine().version(), state.step(), steps - state.step());
    }

    private boolean isPublished() {
        return state.step() % parts.configuration().weightSync().everySteps() == 0 || state.step() == steps;
    }

    private boolean isCheckpointed() {
        return state.step() % parts.configuration().checkpoints().everySteps() == 0 && state.step() < steps;
    }

    /** Returns the seconds that the loop stood still for it. */
    private double publish() {
        long start = System.nanoTime();
        // One version at a time is prepared, so that memory stays bounded.
        publishing.join();
        long version = parts.engine().version();
        publishing = parts.publisher()
                .publish(parts.engine().snapshot())
                .thenRun(() -> parts.progress().published(version));
        double seconds = since(start);
        parts.progress().spent(Activity.PUBLISHING, seconds);
        return seconds;
    }

    private StepRecord record(Batch batch, StepResult result, double waited, double publishing, double total) {
        Optional<StepResult.Applied> applied =
                result instanceof StepResult.Applied done ? Optional.of(done) : Optional.empty();
        String skipped = result instanceof StepResult.Skipped not ? not.reason() : null;
        return new StepRecord(
                state.step(),
                parts.engine().version(),
                Instant.now().toString(),
                batch.rollouts().reward(),
                skipped,
                applied.map(StepResult.Applied::gradientNorm).orElse(null),
                applied.map(StepResult.Applied::clippedNorm).orElse(null),
                applied.map(StepResult.Applied::learningRate).orElse(null),
                batch.rollouts().tokens() / total,
                new StepRecord.Seconds(
                        waited,
                        result.seconds().forwardBackward(),
                        result.seconds().optimizer(),
                        publishing,
                        total),
                result.statistics(),
                batch.rollouts());
    }

    private static void log(StepRecord record) {
        LOG.info(
                "step {}: reward {}, {} tokens, difference {}, entropy {}, gradient {}, waited {} s, learned {} s{}",
                record.step(),
                "%.3f".formatted(record.reward()),
                record.rollouts().tokens(),
                "%.2e".formatted(record.learning().logProbDifference().mean()),
                "%.3f".formatted(record.learning().entropy()),
                record.gradientNorm(),
                "%.1f".formatted(record.seconds().waiting()),
                "%.1f"
                        .formatted(record.seconds().forwardBackward()
                                + record.seconds().optimizer()),
                record.skipped() == null ? "" : ", skipped: " + record.skipped());
    }

    private Optional<String> guard(LearnStatistics statistics, boolean applied) throws IOException {
        Optional<Guardrail.Violation> violation =
                applied ? Guardrail.check(parts.configuration().guardrails(), statistics) : Optional.empty();
        if (violation.isEmpty()) {
            return Optional.empty();
        }
        Guardrail.Violation found = violation.get();
        Guardrails.Action action = parts.configuration().guardrails().action();
        LOG.warn("guardrail {}: {}", found, action);
        parts.metrics().guardrail(found.signal());
        parts.progress()
                .guardrail(new RunStatus.Guardrail(found.signal(), found.value(), found.bound(), action.name()));
        return switch (action) {
            case NONE -> Optional.empty();
            case PAUSE -> Optional.of("guardrail " + found + ": look at the run, then resume it or change the bound");
            case ROLLBACK -> rollBack(found);
        };
    }

    /** Once per checkpoint interval: what comes back at once will come back again. */
    private Optional<String> rollBack(Guardrail.Violation violation) throws IOException {
        Optional<CheckpointStore.Stored> stored = parts.checkpointer().newest();
        int everySteps = parts.configuration().checkpoints().everySteps();
        if (stored.isEmpty() || state.step() - lastRollback <= everySteps) {
            return Optional.of("guardrail %s, %s: look at the run"
                    .formatted(
                            violation,
                            stored.isEmpty()
                                    ? "and there is no checkpoint to go back to"
                                    : "soon after the run went back to a checkpoint for it"));
        }
        lastRollback = state.step();
        parts.engine().restore(stored.get().engine());
        state = stored.get().state();
        parts.history().cutAfter(state.step());
        parts.progress().resumed(state.step(), state.rewards(), state.groups());
        parts.dispatcher().restart(parts.schedules().apply(state.schedule()));
        publishNow();
        issue();
        LOG.warn("the run went back to checkpoint {}", stored.get().snapshot().name());
        return Optional.empty();
    }

    /** A periodic snapshot. One that cannot be written is no reason to stop: the next one may. */
    private void checkpoint() {
        try {
            checkpointNow();
        } catch (IOException e) {
            LOG.error("checkpoint of step {} failed, the run goes on: {}", state.step(), e.getMessage());
        }
    }

    private void checkpointNow() throws IOException {
        if (parts.checkpointer().lastStep() == state.step()) {
            return;
        }
        long start = System.nanoTime();
        state = new TrainerState(
                state.run(),
                state.step(),
                parts.dispatcher().scheduleState(),
                state.groups(),
                state.rewards(),
                state.skippedSteps());
        double reward = state.rewards().isEmpty() ? 0 : state.rewards().getLast();
        parts.checkpointer().take(state, reward);
        parts.progress().spent(Activity.CHECKPOINTING, since(start));
        parts.metrics().checkpointed(since(start));
    }

    /** A snapshot of the present step, complete on disk when this returns. */
    void checkpointAndFinish() throws IOException {
        checkpointNow();
        parts.checkpointer().finish();
    }

    private static double since(long start) {
        return (System.nanoTime() - start) / 1e9;
    }
}
