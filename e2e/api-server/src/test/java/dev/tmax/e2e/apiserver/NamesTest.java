package dev.tmax.e2e.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tmax.api.v1alpha1.SandboxPool;
import dev.tmax.api.v1alpha1.TrainingRun;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import org.junit.jupiter.api.Test;

class NamesTest extends OperatorTest {

    @Test
    void aNameOf63CharactersWorks() {
        String name = "r".repeat(63);
        stage.applyGoodTasks();
        stage.apply(Stage.RUN_YAML.replace("name: run}", "name: " + name + "}"));

        List<Pod> pods = Await.until(
                "trainer and generators have pods", Await.SOON, stage::podsOfRun, found -> found.size() == 3);

        assertThat(pods)
                .allSatisfy(pod -> assertThat(pod.getMetadata().getLabels()).containsEntry("tmax.dev/run", name));
        assertThat(pools(name)).hasSize(1);
        stage.awaitRun(name, "has a status", run -> run.getStatus().phase() != null);
    }

    @Test
    void twoRunsOfOneNameInTwoNamespacesAreTwoRuns() {
        try (Stage other = new Stage(cluster)) {
            for (Stage each : List.of(stage, other)) {
                each.applyGoodTasks();
                each.apply(Stage.RUN_YAML);
                each.awaitPod("run-trainer-0");
            }
            Await.until("both have a pool", Await.SOON, () -> stage.pool() != null && other.pool() != null);

            stage.demand("{name: image-a, image: 'a:1', attempts: 4, step: 1}");
            Await.until(
                    "the one has a sandbox",
                    Await.SOON,
                    () -> stage.sandboxPods().size() == 1);
            assertThat(other.sandboxPods()).isEmpty();

            stage.deleteRun();
            Await.until("the one is gone", Await.SOON, () -> stage.podsOfRun().isEmpty() && stage.pool() == null);
            assertThat(other.podsOfRun()).hasSize(3);
            assertThat(other.pool()).isNotNull();
        }
    }

    @Test
    void aLaterRunOfTheSameNameStartsFromNothing() {
        stage.startRun(5, Statuses.snapshot(5));
        String claim = stage.run().getStatus().checkpointClaim();
        stage.deleteRun();
        Await.until("the run is gone", Await.SOON, () -> stage.run() == null);

        stage.apply(Stage.RUN_YAML);

        TrainingRun next = stage.awaitRun("has a claim", run -> run.getStatus().checkpointClaim() != null);
        assertThat(next.getStatus().checkpointClaim()).isNotEqualTo(claim);
        assertThat(next.getStatus().step()).isZero();
        Await.until(
                "it has pods of its own",
                Await.SOON,
                stage::podsOfRun,
                pods -> pods.size() == 3
                        && pods.stream()
                                .allMatch(pod -> next.getMetadata()
                                        .getUid()
                                        .equals(pod.getMetadata().getLabels().get("tmax.dev/run-uid"))));
    }

    private List<SandboxPool> pools(String run) {
        return stage
                .client()
                .resources(SandboxPool.class)
                .inNamespace(Cluster.SANDBOX_NAMESPACE)
                .list()
                .getItems()
                .stream()
                .filter(pool -> pool.getSpec().runRef().name().equals(run))
                .toList();
    }
}
