package dev.tmax.operator.checkpoint;

import dev.tmax.api.v1alpha1.Checkpoint;
import dev.tmax.api.v1alpha1.CheckpointStatus;
import dev.tmax.api.v1alpha1.TrainingRun;
import dev.tmax.contracts.status.RunStatus;
import dev.tmax.operator.condition.Conditions;
import dev.tmax.operator.condition.StatusWriter;
import dev.tmax.operator.run.children.Credentials;
import dev.tmax.operator.run.children.RunNames;
import dev.tmax.operator.trainer.Trainers;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Completes the Checkpoints that people make: asks the trainer for a snapshot, and takes the first one that is not older
 * than the object. Those that name a snapshot were made by the operator and are complete from the start.
 */
@ControllerConfiguration(name = "checkpoint")
public final class CheckpointReconciler implements Reconciler<Checkpoint> {

    private static final Duration RECHECK = Duration.ofSeconds(2);

    private final KubernetesClient client;
    private final String sandboxNamespace;
    private final Clock clock;
    private final Trainers trainers;
    private final Credentials credentials;
    private final StatusWriter<Checkpoint, CheckpointStatus> statuses;

    public CheckpointReconciler(
            KubernetesClient client, String sandboxNamespace, Clock clock, Trainers trainers, Credentials credentials) {
        this.client = client;
        this.sandboxNamespace = sandboxNamespace;
        this.clock = clock;
        this.trainers = trainers;
        this.credentials = credentials;
        this.statuses = new StatusWriter<>(client, clock, Checkpoint::new, CheckpointStatus::conditions);
    }

    @Override
    public UpdateControl<Checkpoint> reconcile(Checkpoint checkpoint, Context<Checkpoint> context) {
        boolean complete = checkpoint.getStatus() != null
                && Boolean.TRUE.equals(checkpoint.getStatus().complete());
        if (complete
                || checkpoint.getSpec().snapshot() != null
                || checkpoint.getMetadata().getDeletionTimestamp() != null) {
            return UpdateControl.noUpdate();
        }
        return statuses.write(checkpoint, next(checkpoint), context, RECHECK);
    }

    private CheckpointStatus next(Checkpoint checkpoint) {
        String namespace = checkpoint.getMetadata().getNamespace();
        String name = checkpoint.getSpec().runRef().name();
        TrainingRun run = client.resources(TrainingRun.class)
                .inNamespace(namespace)
                .withName(name)
                .get();
        if (run == null) {
            return waiting(
                    checkpoint,
                    "RunNotFound",
                    "runRef: TrainingRun '" + name + "' does not exist in namespace " + namespace
                            + "; create it, or name another in a new Checkpoint");
        }
        RunNames names = RunNames.of(run, sandboxNamespace);
        Pod trainer = client.pods()
                .inNamespace(namespace)
                .withName(names.trainerPod())
                .get();
        Optional<RunStatus> report =
                Optional.ofNullable(trainer).flatMap(trainers::report).map(Trainers.Report::status);
        if (report.isEmpty() || run.getStatus() == null || run.getStatus().checkpointClaim() == null) {
            return waiting(checkpoint, "TrainerNotRunning", "the trainer of '" + name + "' does not run now");
        }
        Instant asked = Instant.parse(checkpoint.getMetadata().getCreationTimestamp());
        Optional<RunStatus.Snapshot> answer = report.get().checkpoints().stream()
                .filter(snapshot -> snapshot.time() != null
                        && !Instant.parse(snapshot.time()).isBefore(asked))
                .findFirst();
        if (answer.isPresent()) {
            return Snapshots.status(checkpoint, answer.get(), run.getStatus().checkpointClaim(), clock);
        }
        trainers.requestCheckpoint(trainer, credentials.ensure(run, names).token());
        return waiting(checkpoint, "Requested", "the trainer of '" + name + "' was asked for a snapshot");
    }

    private CheckpointStatus waiting(Checkpoint checkpoint, String reason, String message) {
        Conditions conditions = new Conditions(
                checkpoint.getStatus() == null ? null : checkpoint.getStatus().conditions(),
                checkpoint.getMetadata().getGeneration(),
                clock);
        conditions.set(Snapshots.COMPLETE, false, reason, message);
        return new CheckpointStatus(
                conditions.list(),
                checkpoint.getMetadata().getGeneration(),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                false,
                null,
                null);
    }
}
