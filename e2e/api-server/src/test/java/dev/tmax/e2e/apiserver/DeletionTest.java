package dev.tmax.e2e.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tmax.api.v1alpha1.Checkpoint;
import dev.tmax.contracts.status.RunStatus;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeletionTest extends OperatorTest {

    @Test
    void aDeletedRunLeavesNothing() {
        stage.startRun(5, Statuses.snapshot(5));
        stage.demand("{name: image-a, image: 'a:1', attempts: 4, step: 5}");
        Await.until(
                "a sandbox pod and a checkpoint are there",
                Await.SOON,
                () -> !stage.sandboxPods().isEmpty() && !stage.checkpoints().isEmpty());

        stage.deleteRun();

        Await.until(
                "everything is gone",
                Await.SOON,
                () -> stage.podsOfRun().isEmpty()
                        && stage.sandboxPods().isEmpty()
                        && stage.pool() == null
                        && stage.checkpoints().isEmpty()
                        && claims() == 0
                        && stage.get(StatefulSet.class, "run-trainer") == null
                        && stage.get(Secret.class, "run-secrets") == null);
    }

    @Test
    void aRetainedCheckpointOutlivesItsRunWithItsVolumeAndThenTakesTheVolumeWithIt() {
        stage.startRun(5, Statuses.snapshot(4), Statuses.snapshot(5));
        List<Checkpoint> checkpoints =
                Await.until("checkpoints are there", Await.SOON, stage::checkpoints, found -> found.size() == 2);
        String retained = checkpoints.getFirst().getMetadata().getName();
        stage.client()
                .resources(Checkpoint.class)
                .inNamespace(stage.namespace())
                .withName(retained)
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"deletionPolicy\":\"Retain\"}}");

        stage.deleteRun();

        Await.until(
                "only the retained one is left",
                Await.SOON,
                stage::checkpoints,
                left -> left.size() == 1
                        && left.getFirst().getMetadata().getName().equals(retained));
        Await.until("the pods are gone", Await.SOON, () -> stage.podsOfRun().isEmpty());
        assertThat(claims()).isEqualTo(1);

        stage.client()
                .resources(Checkpoint.class)
                .inNamespace(stage.namespace())
                .withName(retained)
                .delete();
        Await.until("the volume is gone", Await.SOON, () -> claims() == 0);
    }

    @Test
    void prunedSnapshotsLoseTheirCheckpoints() {
        ServedTrainer trainer = stage.startRun(5, Statuses.snapshot(4), Statuses.snapshot(5));
        Await.until("checkpoints are there", Await.SOON, stage::checkpoints, found -> found.size() == 2);

        trainer.says(Statuses.at(RunStatus.Phase.RUNNING, 6, Statuses.snapshot(5), Statuses.snapshot(6)));

        Await.until(
                "step 4 is gone and step 6 there",
                Await.SOON,
                stage::checkpoints,
                found -> found.stream()
                        .map(checkpoint -> checkpoint.getSpec().snapshot())
                        .sorted()
                        .toList()
                        .equals(List.of("step-5", "step-6")));
    }

    @Test
    void aDeletedNamespaceTakesTheSandboxesWithIt() {
        stage.startRun(5, Statuses.snapshot(5));
        stage.demand("{name: image-a, image: 'a:1', attempts: 4, step: 5}");
        Await.until(
                "a sandbox pod is there", Await.SOON, () -> !stage.sandboxPods().isEmpty());

        stage.client().namespaces().withName(stage.namespace()).delete();

        Await.until("no sandbox is left", Await.SOON, () -> stage.sandboxPods().isEmpty() && stage.pool() == null);
    }

    private int claims() {
        return stage.client()
                .persistentVolumeClaims()
                .inNamespace(stage.namespace())
                .list()
                .getItems()
                .size();
    }
}
