package dev.tmax.operator.run.step;

import dev.tmax.api.v1alpha1.Checkpoint;
import dev.tmax.api.v1alpha1.CheckpointSpec;
import dev.tmax.api.v1alpha1.NameRef;
import dev.tmax.contracts.status.RunStatus;
import dev.tmax.operator.checkpoint.Snapshots;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** Keeps one Checkpoint object for each snapshot that the trainer has, and none for those that it has pruned. */
public final class PublishCheckpoints implements Step {

    private final KubernetesClient client;

    public PublishCheckpoints(KubernetesClient client) {
        this.client = client;
    }

    @Override
    public Progress reconcile(Visit visit) {
        // While it loads, a trainer has not yet looked at what is on disk.
        visit.seen()
                .report()
                .filter(report -> report.phase() != RunStatus.Phase.LOADING)
                .filter(report -> visit.status().checkpointClaim != null)
                .ifPresent(report -> publish(visit, report.checkpoints()));
        return Progress.next();
    }

    private void publish(Visit visit, List<RunStatus.Snapshot> snapshots) {
        List<Checkpoint> existing = visit.seen().checkpoints();
        for (RunStatus.Snapshot snapshot : snapshots) {
            if (existing.stream().noneMatch(checkpoint -> describes(checkpoint, snapshot))) {
                create(visit, snapshot);
            }
        }
        if (snapshots.isEmpty()) {
            return;
        }
        visit.status().lastCheckpoint =
                visit.names().checkpoint(snapshots.getLast().name());
        Set<String> kept = snapshots.stream().map(RunStatus.Snapshot::name).collect(Collectors.toSet());
        existing.stream()
                .filter(checkpoint -> Snapshots.isOf(checkpoint, visit.names().uid()))
                .filter(checkpoint -> checkpoint.getSpec().snapshot() != null
                        && !kept.contains(checkpoint.getSpec().snapshot()))
                .forEach(checkpoint -> client.resource(checkpoint).delete());
    }

    private void create(Visit visit, RunStatus.Snapshot snapshot) {
        Checkpoint checkpoint = new Checkpoint();
        checkpoint.getMetadata().setName(visit.names().checkpoint(snapshot.name()));
        checkpoint.getMetadata().setNamespace(visit.names().namespace());
        checkpoint.getMetadata().setLabels(visit.names().labels());
        checkpoint.setSpec(new CheckpointSpec(
                new NameRef(visit.names().name()),
                visit.run().getSpec().checkpoints().deletionPolicy(),
                snapshot.name()));
        boolean there = client.resource(checkpoint).get() != null;
        // A person may have changed deletionPolicy since: what is there is not applied again.
        Checkpoint made = there ? checkpoint : client.resource(checkpoint).create();
        Snapshots.writeStatus(client, made, snapshot, visit.status().checkpointClaim, visit.now());
    }

    private static boolean describes(Checkpoint checkpoint, RunStatus.Snapshot snapshot) {
        return checkpoint.getStatus() != null
                && Boolean.TRUE.equals(checkpoint.getStatus().complete())
                && snapshot.name().equals(checkpoint.getStatus().snapshot())
                && Objects.equals(snapshot.digest(), checkpoint.getStatus().digest());
    }
}
