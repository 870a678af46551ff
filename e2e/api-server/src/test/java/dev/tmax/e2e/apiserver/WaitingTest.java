package dev.tmax.e2e.apiserver;

import static dev.tmax.e2e.apiserver.Stage.condition;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tmax.api.v1alpha1.TrainingRun;
import dev.tmax.api.v1alpha1.TrainingRunStatus.Phase;
import dev.tmax.contracts.status.RunStatus;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a run waits for, says so by name, and goes on when it comes. */
class WaitingTest extends OperatorTest {

    @Test
    void aMissingTaskSetIsNamedAndTheRunGoesOnWhenItAppears() {
        stage.apply(Stage.RUN_YAML);
        awaitReason("TaskSetNotFound", "tasks.taskSetRef", "'tasks'");
        assertThat(stage.podsOfRun()).isEmpty();

        stage.applyGoodTasks();

        stage.awaitPod("run-trainer-0");
    }

    @Test
    void aMissingHeldOutTaskSetIsNamed() {
        stage.applyGoodTasks();
        stage.apply(Stage.RUN_YAML + "  evaluation: {taskSetRef: {name: held-out}}\n");
        awaitReason("TaskSetNotFound", "evaluation.taskSetRef", "'held-out'");

        stage.apply(Stage.TASKS_YAML.replace("name: tasks", "name: held-out").replace("train", "held-out"));
        stage.judgeTasks("held-out", Stage.GOOD_TASKS);

        Pod trainer = stage.awaitPod("run-trainer-0");
        assertThat(trainer.getSpec().getContainers().getFirst().getVolumeMounts())
                .extracting(mount -> mount.getMountPath())
                .contains("/evaluation-tasks");
    }

    @Test
    void aRunDoesNotStartOnAnInvalidTaskSet() {
        stage.apply(Stage.TASKS_YAML);
        stage.apply(Stage.RUN_YAML);
        awaitReason("TaskSetNotReady", "'tasks'");

        stage.judgeTasks("tasks", """
                {"format":"Harbor","tasks":3,"invalid":1,\
                "firstInvalid":[{"task":"broken","reason":"tests/test.sh is missing; add it"}]}""");

        awaitReason("TaskSetInvalid", "broken", "tests/test.sh is missing");
        assertThat(stage.podsOfRun()).isEmpty();
    }

    @Test
    void aMissingCheckpointIsNamedAndTheRunGoesOnWhenItIsComplete() {
        ServedTrainer first = stage.startRun(5);
        first.says(Statuses.at(RunStatus.Phase.RUNNING, 5, Statuses.snapshot(5)));
        String checkpoint = "run-" + stage.run().getMetadata().getUid().substring(0, 8) + "-step-5";
        stage.apply(Stage.RUN_YAML
                .replace("name: run}", "name: next}")
                .replace("image: \"model:1\"", "checkpointRef: {name: " + checkpoint + "x}"));
        stage.awaitRun(
                "next",
                "waits for the checkpoint",
                run -> condition(run, "Ready").getReason().equals("CheckpointNotFound")
                        && condition(run, "Ready").getMessage().contains(checkpoint + "x"));

        stage.apply(Stage.RUN_YAML
                .replace("name: run}", "name: other}")
                .replace("image: \"model:1\"", "checkpointRef: {name: " + checkpoint + "}"));

        Pod trainer = stage.awaitPod("other-trainer-0");
        assertThat(trainer.getSpec().getVolumes())
                .filteredOn(volume -> volume.getName().equals("model"))
                .singleElement()
                .satisfies(
                        volume -> assertThat(volume.getPersistentVolumeClaim().getClaimName())
                                .isEqualTo(stage.run().getStatus().checkpointClaim()));
    }

    @Test
    void aMissingClaimIsNamedAndTheRunGoesOnWhenItAppears() {
        stage.applyGoodTasks();
        stage.apply(
                Stage.RUN_YAML.replace("image: \"model:1\"", "persistentVolumeClaim: {claimName: models, path: smol}"));
        awaitReason("ClaimNotFound", "'models'");

        stage.client()
                .resource(new PersistentVolumeClaimBuilder()
                        .withNewMetadata()
                        .withName("models")
                        .withNamespace(stage.namespace())
                        .endMetadata()
                        .withNewSpec()
                        .withAccessModes("ReadWriteOnce")
                        .withNewResources()
                        .withRequests(Map.of("storage", new Quantity("1Gi")))
                        .endResources()
                        .endSpec()
                        .build())
                .create();

        stage.awaitPod("run-trainer-0");
    }

    @Test
    void aMissingSystemPromptIsNamedAndTheRunGoesOnWhenItAppears() {
        stage.applyGoodTasks();
        stage.apply(Stage.RUN_YAML.replace(
                "systemPrompt: \"Answer with one bash block.\"", "systemPromptRef: {name: prompt}"));
        awaitReason("ConfigMapNotFound", "'prompt'");

        stage.client()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("prompt")
                        .withNamespace(stage.namespace())
                        .endMetadata()
                        .withData(Map.of("system-prompt.txt", "Answer."))
                        .build())
                .create();

        stage.awaitPod("run-trainer-0");
    }

    @Test
    void aNodeWithoutTheResourceIsNamed() {
        stage.applyGoodTasks();
        stage.apply(Stage.RUN_YAML);
        stage.kubelet()
                .unschedulable(
                        stage.awaitPod("run-trainer-0"), "0/2 nodes are available: 2 Insufficient nvidia.com/gpu.");

        awaitReason("Unschedulable", "run-trainer-0", "nvidia.com/gpu");
        assertThat(stage.run().getStatus().phase()).isEqualTo(Phase.ADMITTED);
    }

    @Test
    void anImageThatCannotBePulledIsNamed() {
        stage.applyGoodTasks();
        stage.apply(Stage.RUN_YAML);
        stage.kubelet()
                .waiting(
                        stage.awaitPod("run-trainer-0"),
                        "ImagePullBackOff",
                        "Back-off pulling image \"docker.io/tmax/no-such-model:0.1.0\"");

        awaitReason("ImagePullBackOff", "docker.io/tmax/no-such-model:0.1.0");
    }

    @Test
    void aQuotaWithoutRoomIsNamedNothingIsTornDownAndTheRunGoesOnWhenItIsRaised() {
        stage.applyGoodTasks();
        ResourceQuota quota = new ResourceQuotaBuilder()
                .withNewMetadata()
                .withName("small")
                .withNamespace(stage.namespace())
                .endMetadata()
                .withNewSpec()
                .withHard(Map.of("pods", new Quantity("2")))
                .endSpec()
                .build();
        stage.client().resource(quota).create();
        Await.until("the quota is counted", Await.SOON, () -> {
            ResourceQuota seen = stage.get(ResourceQuota.class, "small");
            return seen.getStatus() != null
                    && seen.getStatus().getHard() != null
                    && !seen.getStatus().getHard().isEmpty();
        });
        stage.apply(Stage.RUN_YAML);

        TrainingRun run = stage.awaitRun(
                "is refused a pod",
                seen -> seen.getStatus().conditions().stream()
                        .anyMatch(condition -> "QuotaExceeded".equals(condition.getReason())));
        assertThat(run.getStatus().conditions().toString())
                .contains("exceeded quota: small", "requested: pods=1", "used: pods=2", "limited: pods=2");
        Await.holds(
                "what is there stays",
                Duration.ofSeconds(2),
                () -> stage.podsOfRun().size() == 2);

        stage.client()
                .resourceQuotas()
                .inNamespace(stage.namespace())
                .withName("small")
                .edit(found -> {
                    found.getSpec().setHard(Map.of("pods", new Quantity("10")));
                    return found;
                });

        Await.until(
                "all pods are made",
                Duration.ofSeconds(60),
                () -> stage.podsOfRun().size() == 3);
    }

    private void awaitReason(String reason, String... texts) {
        TrainingRun run = stage.awaitRun(
                "waits because of " + reason,
                seen -> condition(seen, "Ready").getReason().equals(reason));
        assertThat(condition(run, "Ready").getMessage()).contains(texts);
    }
}
