package dev.tmax.operator.checkpoint;

import dev.tmax.api.v1alpha1.Checkpoint;
import dev.tmax.api.v1alpha1.CheckpointStatus;
import dev.tmax.contracts.status.RunStatus;
import dev.tmax.operator.Labels;
import dev.tmax.operator.condition.Conditions;
import dev.tmax.operator.run.children.Mounts;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Locale;

/** How a trainer's snapshot becomes the status of a Checkpoint. */
public final class Snapshots {

    public static final String COMPLETE = "Complete";

    private static final PatchContext FORCED = new PatchContext.Builder()
            .withPatchType(PatchType.SERVER_SIDE_APPLY)
            .withFieldManager(Labels.FIELD_MANAGER)
            .withForce(true)
            .build();

    private Snapshots() {}

    /** Whether a Checkpoint was made for exactly this run, and not for an earlier one of its name. */
    public static boolean isOf(Checkpoint checkpoint, String runUid) {
        return checkpoint.getMetadata().getLabels() != null
                && runUid.equals(checkpoint.getMetadata().getLabels().get(Labels.RUN_UID));
    }

    /** Writes what the snapshot is into the object's status. */
    public static void writeStatus(
            KubernetesClient client, Checkpoint checkpoint, RunStatus.Snapshot snapshot, String claim, Instant now) {
        write(client, checkpoint, status(checkpoint, snapshot, claim, Clock.fixed(now, ZoneOffset.UTC)));
    }

    static void write(KubernetesClient client, Checkpoint checkpoint, CheckpointStatus status) {
        Checkpoint patch = new Checkpoint();
        patch.getMetadata().setName(checkpoint.getMetadata().getName());
        patch.getMetadata().setNamespace(checkpoint.getMetadata().getNamespace());
        patch.setStatus(status);
        client.resource(patch).subresource("status").patch(FORCED, patch);
    }

    static CheckpointStatus status(Checkpoint checkpoint, RunStatus.Snapshot snapshot, String claim, Clock clock) {
        Conditions conditions = new Conditions(
                checkpoint.getStatus() == null ? null : checkpoint.getStatus().conditions(),
                checkpoint.getMetadata().getGeneration(),
                clock);
        conditions.set(COMPLETE, true, "Written", "step " + snapshot.step() + " is on disk");
        return new CheckpointStatus(
                conditions.list(),
                checkpoint.getMetadata().getGeneration(),
                snapshot.name(),
                snapshot.step(),
                snapshot.policyVersion(),
                new CheckpointStatus.Location(claim, relative(snapshot.location()), relative(snapshot.huggingFace())),
                snapshot.digest(),
                snapshot.sizeBytes(),
                snapshot.parent(),
                true,
                String.format(Locale.ROOT, "%.3f", snapshot.reward()),
                snapshot.time());
    }

    /** The trainer's path without its mount; null stays null. */
    private static String relative(String path) {
        String mount = Mounts.CHECKPOINTS + "/";
        return path != null && path.startsWith(mount) ? path.substring(mount.length()) : path;
    }
}
