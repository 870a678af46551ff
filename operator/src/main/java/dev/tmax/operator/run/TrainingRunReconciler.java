package dev.tmax.operator.run;

import dev.tmax.api.v1alpha1.Checkpoint;
import dev.tmax.api.v1alpha1.TaskSet;
import dev.tmax.api.v1alpha1.TrainingRun;
import dev.tmax.api.v1alpha1.TrainingRunStatus;
import dev.tmax.operator.OperatorSettings;
import dev.tmax.operator.apply.Applier;
import dev.tmax.operator.condition.ApiRefusal;
import dev.tmax.operator.condition.StatusWriter;
import dev.tmax.operator.run.children.Credentials;
import dev.tmax.operator.run.children.RunNames;
import dev.tmax.operator.run.step.ApplyFoundations;
import dev.tmax.operator.run.step.ApplyWorkloads;
import dev.tmax.operator.run.step.FinishRun;
import dev.tmax.operator.run.step.JudgeReadiness;
import dev.tmax.operator.run.step.Progress;
import dev.tmax.operator.run.step.PublishCheckpoints;
import dev.tmax.operator.run.step.ReadReport;
import dev.tmax.operator.run.step.RecordAttempts;
import dev.tmax.operator.run.step.ResolveReferences;
import dev.tmax.operator.run.step.StatusDraft;
import dev.tmax.operator.run.step.Step;
import dev.tmax.operator.run.step.SuspendRun;
import dev.tmax.operator.run.step.Visit;
import dev.tmax.operator.trainer.Trainers;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.ErrorStatusUpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Walks a run over its steps: observe, judge what has ended, find what it refers to, make its children, say how it is. */
@ControllerConfiguration(name = "trainingrun")
public final class TrainingRunReconciler implements Reconciler<TrainingRun> {

    private static final Logger LOG = LoggerFactory.getLogger(TrainingRunReconciler.class);

    private final OperatorSettings settings;
    private final Clock clock;
    private final Trainers trainers;
    private final StatusWriter<TrainingRun, TrainingRunStatus> statuses;
    private final List<Step> steps;
    private Observer observer;

    public TrainingRunReconciler(
            KubernetesClient client,
            OperatorSettings settings,
            Clock clock,
            Trainers trainers,
            Applier applier,
            Credentials credentials) {
        this.settings = settings;
        this.clock = clock;
        this.trainers = trainers;
        this.statuses = new StatusWriter<>(client, clock, TrainingRun::new, TrainingRunStatus::conditions);
        this.steps = List.of(
                new RecordAttempts(),
                new ReadReport(),
                new PublishCheckpoints(client),
                new FinishRun(client, applier),
                new ResolveReferences(client, new ResolveReferences.Lookup() {
                    @Override
                    public Optional<TaskSet> taskSet(String namespace, String name) {
                        return observer.taskSet(namespace, name);
                    }

                    @Override
                    public Optional<Checkpoint> checkpoint(String namespace, String name) {
                        return observer.checkpoint(namespace, name);
                    }
                }),
                new SuspendRun(client, trainers, credentials, settings.drainGrace()),
                new ApplyFoundations(client, applier, credentials),
                new ApplyWorkloads(client, applier, settings.images()),
                new JudgeReadiness(client));
    }

    @Override
    public List<EventSource<?, TrainingRun>> prepareEventSources(EventSourceContext<TrainingRun> context) {
        observer = new Observer(context, trainers);
        return observer.sources();
    }

    /** Runs as the cache knows them. */
    public Stream<TrainingRun> runs() {
        return observer.runs();
    }

    /** Trainers that run now. */
    public Stream<Trainers.Target> trainers() {
        return observer.trainers();
    }

    @Override
    public UpdateControl<TrainingRun> reconcile(TrainingRun run, Context<TrainingRun> context) {
        if (run.getMetadata().getDeletionTimestamp() != null) {
            return UpdateControl.noUpdate();
        }
        RunNames names = RunNames.of(run, settings.sandboxNamespace());
        StatusDraft draft = new StatusDraft(run, clock);
        Visit visit = new Visit(run, names, observer.observe(names), draft, clock.instant());
        Duration recheck = walk(visit);
        TrainingRunStatus status = draft.build(run.getSpec().suspend());
        logTransition(run, status);
        return statuses.write(run, status, context, recheck);
    }

    /** What the API server refused, for people; the walk is repeated in any case. */
    @Override
    public ErrorStatusUpdateControl<TrainingRun> updateErrorStatus(
            TrainingRun run, Context<TrainingRun> context, Exception failure) {
        boolean ended = run.getStatus() != null && run.getStatus().completionTime() != null;
        Optional<String> refusal = ended ? Optional.empty() : ApiRefusal.message(failure);
        refusal.ifPresent(message -> {
            StatusDraft draft = new StatusDraft(run, clock);
            draft.conditions().set(StatusDraft.READY, false, ApiRefusal.REASON, message);
            TrainingRunStatus status = draft.build(run.getSpec().suspend());
            logTransition(run, status);
            statuses.write(run, status, context);
        });
        return ErrorStatusUpdateControl.noStatusUpdate();
    }

    private Duration walk(Visit visit) {
        for (Step step : steps) {
            switch (step.reconcile(visit)) {
                case Progress.Continue ignored -> {}
                case Progress.Stop stop -> {
                    return stop.recheck();
                }
            }
        }
        throw new IllegalStateException("the last step always stops");
    }

    private static void logTransition(TrainingRun run, TrainingRunStatus status) {
        TrainingRunStatus.Phase before =
                run.getStatus() == null ? null : run.getStatus().phase();
        if (before != status.phase()) {
            LOG.info(
                    "run {}/{}: {} -> {}: {}",
                    run.getMetadata().getNamespace(),
                    run.getMetadata().getName(),
                    before,
                    status.phase(),
                    status.message());
        }
    }
}
