package dev.tmax.e2e.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** A small run is suspended, resumed and deleted in the middle; the tests are its stations, in order. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SuspendAndDeleteTest extends ClusterTest {

    private static final String RUN = "tiny";

    private int suspendedAt;

    SuspendAndDeleteTest() {
        super("e2e-suspend");
    }

    @Test
    @Order(1)
    void suspendStopsAllPodsAfterACheckpoint() {
        namespace().apply("tasks.yaml");
        namespace().apply("tiny-run.yaml", Map.of("SYSTEM_PROMPT", "Answer with a bash block."));
        namespace().awaitRun(RUN, "trains", Duration.ofMinutes(3), seen -> seen.step() >= 2);

        namespace().patchRun(RUN, "{\"suspend\":true}");

        Observed run = namespace().awaitRun(RUN, "is suspended", Duration.ofSeconds(120), seen -> seen.is("Suspended"));
        assertThat(run.phase()).isEqualTo("Suspended");
        Await.until("no pod of the run is left", GONE_WITHIN, namespace()::pods, List::isEmpty);
        awaitNoSandboxPods();
        suspendedAt = namespace().run(RUN).step();
        assertThat(namespace().checkpoints())
                .as("a checkpoint of the step that it was suspended at")
                .anySatisfy(checkpoint ->
                        assertThat(new Observed(checkpoint).step()).isEqualTo(suspendedAt));
    }

    @Test
    @Order(2)
    void resumeGoesOnAtTheSameStep() {
        namespace().patchRun(RUN, "{\"suspend\":false}");

        Observed first =
                namespace().awaitRun(RUN, "runs again", Duration.ofMinutes(3), seen -> "Running".equals(seen.phase()));
        assertThat(first.step()).isGreaterThanOrEqualTo(suspendedAt);
        namespace().awaitRun(RUN, "goes on", Duration.ofMinutes(2), seen -> seen.step() > suspendedAt);
    }

    @Test
    @Order(3)
    void deletionInTheMiddleLeavesOnlyRetainedCheckpoints() {
        GenericKubernetesResource retained = namespace().checkpoints().getLast();
        client().genericKubernetesResources(TestNamespace.API, "Checkpoint")
                .inNamespace(namespace().name())
                .withName(retained.getMetadata().getName())
                .edit(checkpoint -> {
                    checkpoint.get("spec");
                    ((Map<String, Object>) checkpoint.getAdditionalProperties().get("spec"))
                            .put("deletionPolicy", "Retain");
                    return checkpoint;
                });

        namespace().deleteRun(RUN);

        Await.until("no pod of the run is left", GONE_WITHIN, namespace()::pods, List::isEmpty);
        awaitNoSandboxPods();
        Await.until(
                "only the retained checkpoint is left",
                GONE_WITHIN,
                namespace()::checkpoints,
                left -> left.size() == 1
                        && left.getFirst()
                                .getMetadata()
                                .getName()
                                .equals(retained.getMetadata().getName()));
        assertThat(client().persistentVolumeClaims()
                        .inNamespace(namespace().name())
                        .list()
                        .getItems())
                .as("the volume of the retained checkpoint")
                .hasSize(1);
        assertThat(client().apps()
                        .statefulSets()
                        .inNamespace(namespace().name())
                        .list()
                        .getItems())
                .isEmpty();
        assertThat(client().secrets().inNamespace(namespace().name()).list().getItems())
                .isEmpty();
    }
}
