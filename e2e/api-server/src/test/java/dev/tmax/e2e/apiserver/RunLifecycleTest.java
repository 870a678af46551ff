package dev.tmax.e2e.apiserver;

import static dev.tmax.e2e.apiserver.Stage.condition;
import static dev.tmax.e2e.apiserver.Stage.is;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tmax.api.v1alpha1.TrainingRun;
import dev.tmax.api.v1alpha1.TrainingRunStatus.Phase;
import dev.tmax.contracts.configuration.ConfigurationFile;
import dev.tmax.contracts.configuration.RunConfiguration;
import dev.tmax.contracts.status.RunStatus;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class RunLifecycleTest extends OperatorTest {

    @Test
    void aRunGetsAllItsChildren() {
        stage.applyGoodTasks();
        stage.apply(Stage.RUN_YAML);

        Pod trainer = stage.awaitPod("run-trainer-0");
        stage.awaitPod("run-generator-1");

        assertThat(trainer.getSpec().getServiceAccountName()).isEqualTo("run-trainer");
        assertThat(stage.get(ServiceAccount.class, "run-generator")).isNotNull();
        assertThat(stage.get(Secret.class, "run-secrets").getData()).containsOnlyKeys("token", "sandbox-token-key");
        assertThat(stage.get(Service.class, "run-trainer").getSpec().getPorts())
                .extracting(port -> port.getPort())
                .containsExactly(7070, 9090);
        assertThat(stage.get(NetworkPolicy.class, "run-trainer")).isNotNull();
        assertThat(stage.pool().getSpec().attemptsPerPod()).as("the group size").isEqualTo(4);
        assertThat(stage.client()
                        .resources(Role.class)
                        .inNamespace(Cluster.SANDBOX_NAMESPACE)
                        .withName(stage.poolName())
                        .get()
                        .getRules())
                .anySatisfy(rule -> assertThat(rule.getResourceNames()).containsExactly(stage.poolName()));
        assertThat(stage.client()
                        .resources(RoleBinding.class)
                        .inNamespace(Cluster.SANDBOX_NAMESPACE)
                        .withName(stage.poolName())
                        .get())
                .isNotNull();
        NetworkPolicy sandboxes = stage.client()
                .resources(NetworkPolicy.class)
                .inNamespace(Cluster.SANDBOX_NAMESPACE)
                .withName(stage.poolName())
                .get();
        assertThat(sandboxes.getSpec().getPolicyTypes()).contains("Egress");
        assertThat(sandboxes.getSpec().getEgress()).isEmpty();
        assertThat(claims()).hasSize(1);
    }

    @Test
    void theConfigurationIsOneThatTheTrainerCanRead() {
        stage.applyGoodTasks();
        stage.apply(Stage.RUN_YAML);
        Pod trainer = stage.awaitPod("run-trainer-0");

        String name = trainer.getSpec().getVolumes().stream()
                .filter(volume -> volume.getName().equals("configuration"))
                .findFirst()
                .orElseThrow()
                .getProjected()
                .getSources()
                .getFirst()
                .getConfigMap()
                .getName();
        RunConfiguration configuration = ConfigurationFile.parse(
                stage.get(ConfigMap.class, name).getData().get("run.yaml"));

        assertThat(configuration.tasks().path()).isEqualTo("/tasks/train");
        assertThat(configuration.recipe().optimizer().learningRate()).isEqualTo(1e-5);
        assertThat(configuration.sandboxes().pool()).isEqualTo(stage.poolName());
        assertThat(configuration.endpoints().trainerHost()).isEqualTo("run-trainer." + stage.namespace() + ".svc");
        assertThat(configuration.agent().systemPrompt()).isEqualTo("Answer with one bash block.");
    }

    @Test
    void generatorsNeverSeeTheKeyOfTheSandboxes() {
        stage.applyGoodTasks();
        stage.apply(Stage.RUN_YAML);

        Pod generator = stage.awaitPod("run-generator-0");

        assertThat(generator.getSpec().getAutomountServiceAccountToken()).isFalse();
        assertThat(generator.getSpec().getVolumes().toString())
                .contains("secrets/token")
                .doesNotContain("sandbox-token-key");
    }

    @Test
    void aRunningRunSaysHowFarItIs() {
        stage.startRun(3, Statuses.snapshot(2));

        TrainingRun run = stage.run();
        assertThat(run.getStatus().step()).isEqualTo(3);
        assertThat(run.getStatus().policyVersion()).isEqualTo(3);
        assertThat(run.getStatus().reward().mean()).isEqualTo("0.520");
        assertThat(run.getStatus().reward().heldOutBefore()).isEqualTo("0.100");
        assertThat(run.getStatus().progress().percent()).isEqualTo(30);
        assertThat(run.getStatus().generators().ready()).isEqualTo(2);
        assertThat(run.getStatus().observedGeneration())
                .isEqualTo(run.getMetadata().getGeneration());
        assertThat(run.getStatus().attempts()).hasSize(1);
    }

    @Test
    void scalingGeneratorsRestartsNobody() {
        stage.startRun(1);
        Map<String, String> before = uids();

        stage.client()
                .resources(TrainingRun.class)
                .inNamespace(stage.namespace())
                .withName(Stage.RUN)
                .scale(3);
        stage.generatorsReady(3);
        stage.awaitRun(
                "has three generators",
                run -> Integer.valueOf(3).equals(run.getStatus().generators().ready()));

        assertThat(uids()).containsAllEntriesOf(before).hasSize(before.size() + 1);
        TrainingRun run = stage.run();
        assertThat(run.getStatus().observedGeneration())
                .isEqualTo(run.getMetadata().getGeneration());
    }

    @Test
    void moreStepsMakeTheTrainerAnew() {
        stage.startRun(1);
        String before = stage.get(StatefulSet.class, "run-trainer")
                .getSpec()
                .getTemplate()
                .getSpec()
                .getVolumes()
                .toString();

        stage.patchRun("{\"recipe\":{\"steps\":20}}");

        Await.until(
                "the template has another configuration",
                Await.SOON,
                () -> !stage.get(StatefulSet.class, "run-trainer")
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getVolumes()
                        .toString()
                        .equals(before));
    }

    @Test
    void successGivesEverythingBackButTheCheckpoints() {
        ServedTrainer trainer = stage.startRun(5, Statuses.snapshot(5));
        stage.demand("{name: image-a, image: 'a:1', attempts: 4, step: 5}");
        Await.until(
                "a sandbox pod is there", Await.SOON, () -> !stage.sandboxPods().isEmpty());

        trainer.says(
                Statuses.at(RunStatus.Phase.SUCCEEDED, Statuses.STEPS, Statuses.snapshot(5), Statuses.snapshot(10)));

        TrainingRun run = stage.awaitPhase(Phase.SUCCEEDED);
        assertThat(run.getStatus().step()).isEqualTo(Statuses.STEPS);
        assertThat(run.getStatus().reward().heldOutAfter()).isEqualTo("0.800");
        assertThat(run.getStatus().completionTime()).isNotNull();
        Await.until(
                "no pod is left",
                Await.SOON,
                () -> stage.podsOfRun().isEmpty() && stage.sandboxPods().isEmpty());
        Await.until(
                "no StatefulSet and no pool is left",
                Await.SOON,
                () -> stage.pool() == null
                        && stage.get(StatefulSet.class, "run-trainer") == null
                        && stage.get(StatefulSet.class, "run-generator") == null);
        assertThat(stage.checkpoints())
                .hasSize(2)
                .allSatisfy(checkpoint ->
                        assertThat(checkpoint.getStatus().complete()).isTrue());
        String result = stage.get(ConfigMap.class, "run-result").getData().get("status.json");
        assertThat(RunStatus.fromJson(result).rewards()).hasSize(Statuses.STEPS);
    }

    @RepeatedTest(5)
    void whatHasEndedStaysEnded() {
        ServedTrainer trainer = stage.startRun(5, Statuses.snapshot(5));
        trainer.says(Statuses.at(RunStatus.Phase.SUCCEEDED, Statuses.STEPS, Statuses.snapshot(10)));
        stage.awaitPhase(Phase.SUCCEEDED);
        Await.until("no pod is left", Await.SOON, () -> stage.podsOfRun().isEmpty());

        stage.patchRun("{\"recipe\":{\"steps\":20}}");

        stage.awaitRun(
                "has seen the change",
                run -> run.getStatus()
                        .observedGeneration()
                        .equals(run.getMetadata().getGeneration()));
        assertThat(stage.run().getStatus().phase()).isEqualTo(Phase.SUCCEEDED);
        assertThat(stage.podsOfRun()).isEmpty();
    }

    @Test
    void aFinishedRunGoesWhenItsTimeIsOver() {
        stage.applyGoodTasks();
        stage.apply(Stage.RUN_YAML + "  ttlSecondsAfterFinished: 1\n");
        ServedTrainer trainer = stage.trainerSays(Statuses.at(RunStatus.Phase.RUNNING, 1));
        stage.awaitPhase(Phase.RUNNING);

        trainer.says(Statuses.at(RunStatus.Phase.SUCCEEDED, Statuses.STEPS, Statuses.snapshot(10)));

        Await.until("the run is deleted", Await.SOON, () -> stage.run() == null);
        Await.until("its pods are gone", Await.SOON, () -> stage.podsOfRun().isEmpty());
    }

    @Test
    void aFinishedRunOfNoTimeLeavesItsRetainedCheckpoints() {
        stage.applyGoodTasks();
        stage.apply(Stage.RUN_YAML.replace("{everySteps: 5}", "{everySteps: 5, deletionPolicy: Retain}")
                + "  ttlSecondsAfterFinished: 0\n");
        stage.trainerSays(Statuses.at(RunStatus.Phase.SUCCEEDED, Statuses.STEPS, Statuses.snapshot(10)));

        Await.until("the run is deleted", Await.SOON, () -> stage.run() == null);

        Await.holds(
                "the checkpoint and its volume stay",
                Duration.ofSeconds(3),
                () -> stage.checkpoints().size() == 1 && claims().size() == 1);
    }

    @Test
    void aSuspendedRunIsNotAFinishedOne() {
        stage.applyGoodTasks();
        stage.apply(Stage.RUN_YAML + "  suspend: true\n  ttlSecondsAfterFinished: 0\n");
        stage.awaitPhase(Phase.SUSPENDED);

        Await.holds("the run stays", Duration.ofSeconds(3), () -> stage.run() != null);
    }

    @Test
    void aTimeThatWasOverWhileTheOperatorWasAwayIsNotMissed() {
        stage.applyGoodTasks();
        stage.apply(Stage.RUN_YAML + "  ttlSecondsAfterFinished: 5\n");
        stage.trainerSays(Statuses.at(RunStatus.Phase.SUCCEEDED, Statuses.STEPS));
        stage.awaitPhase(Phase.SUCCEEDED);

        cluster.restartOperator("operator-late-" + stage.namespace());

        Await.until("the run is deleted", Await.SOON, () -> stage.run() == null);
    }

    @Test
    void changesThatNeedNoWorkAreSeen() {
        stage.startRun(1);

        stage.patchRun("{\"generators\":{\"replicas\":3}}");
        stage.patchRun("{\"generators\":{\"replicas\":2},\"backoffLimit\":9}");

        TrainingRun run = stage.awaitRun(
                "has seen the last change",
                seen -> seen.getStatus()
                        .observedGeneration()
                        .equals(seen.getMetadata().getGeneration()));
        assertThat(run.getStatus().phase()).isEqualTo(Phase.RUNNING);
        Await.until(
                "two generators are left", Await.SOON, () -> stage.podsOfRun().size() == 3);
    }

    @Test
    void suspendDrainsAndResumeGoesOn() {
        ServedTrainer trainer = stage.startRun(4);
        stage.patchRun("{\"suspend\":true}");

        stage.awaitPhase(Phase.SUSPENDING);
        String token = new String(
                java.util.Base64.getDecoder()
                        .decode(stage.get(Secret.class, "run-secrets").getData().get("token")),
                java.nio.charset.StandardCharsets.UTF_8);
        Await.until(
                "the trainer is asked to drain",
                Await.SOON,
                () -> trainer.posts().contains("/v1/drain Bearer " + token));
        assertThat(stage.pod("run-trainer-0")).isNotNull();
        trainer.says(Statuses.at(RunStatus.Phase.DRAINED, 4, Statuses.snapshot(4)));

        TrainingRun suspended = stage.awaitPhase(Phase.SUSPENDED);
        assertThat(stage.podsOfRun()).isEmpty();
        assertThat(stage.pool()).isNull();
        assertThat(suspended.getStatus().step()).isEqualTo(4);
        assertThat(stage.checkpoints()).hasSize(1);

        stage.patchRun("{\"suspend\":false}");
        stage.trainerSays(Statuses.at(RunStatus.Phase.RUNNING, 4, Statuses.snapshot(4)));
        TrainingRun resumed = stage.awaitPhase(Phase.RUNNING);

        assertThat(resumed.getStatus().step()).isEqualTo(4);
        assertThat(condition(resumed, "Suspended").getStatus()).isEqualTo("False");
        assertThat(resumed.getStatus().failures())
                .as("a suspension is no crash")
                .isZero();
    }

    @Test
    void aTrainerThatDoesNotDrainIsTakenAwayAfterTheGraceTime() {
        stage.startRun(4);
        stage.patchRun("{\"suspend\":true}");

        stage.awaitPhase(Phase.SUSPENDED);

        assertThat(stage.podsOfRun()).isEmpty();
    }

    @Test
    void aRunThatIsMadeSuspendedHasNoPod() {
        stage.applyGoodTasks();
        stage.apply(Stage.RUN_YAML + "  suspend: true\n");

        stage.awaitPhase(Phase.SUSPENDED);

        assertThat(stage.podsOfRun()).isEmpty();
        stage.patchRun("{\"suspend\":false}");
        stage.awaitPod("run-trainer-0");
    }

    @Test
    void aTrainerThatCannotBeHealedFailsTheRunInItsOwnWords() {
        stage.applyGoodTasks();
        stage.apply(Stage.RUN_YAML);
        stage.trainerSays(Statuses.of(
                RunStatus.Phase.FAILED, "model.maxPromptTokens: '999999' is not usable; the model has 8192", 0));

        TrainingRun run = stage.awaitPhase(Phase.FAILED);

        assertThat(condition(run, "Failed").getMessage()).contains("maxPromptTokens", "999999");
        Await.until("no pod is left", Await.SOON, () -> stage.podsOfRun().isEmpty());
        assertThat(events()).anyMatch(event -> event.contains("TrainerFailed"));
    }

    @Test
    void crashesWithoutProgressFailTheRunAndProgressForgivesThem() {
        stage.applyGoodTasks();
        stage.apply(Stage.RUN_YAML + "  backoffLimit: 3\n");
        ServedTrainer trainer = stage.trainerSays(Statuses.at(RunStatus.Phase.RUNNING, 1));
        // Seen only after a crash, it would count as progress since then.
        stage.awaitRun(
                "is at step 1", run -> Integer.valueOf(1).equals(run.getStatus().step()));
        Pod pod = stage.pod("run-trainer-0");
        crash(pod, 1);
        crash(pod, 2);

        trainer.says(Statuses.at(RunStatus.Phase.RUNNING, 2));
        stage.awaitRun("is forgiven", run -> run.getStatus().failures() == 0);
        crash(pod, 1);
        crash(pod, 2);
        stage.kubelet().crashAndRestart(pod, "OOMKilled", 137);

        TrainingRun run = stage.awaitPhase(Phase.FAILED);
        assertThat(condition(run, "Failed").getReason()).isEqualTo("BackoffLimitExceeded");
        assertThat(condition(run, "Failed").getMessage()).contains("OOMKilled");
    }

    @Test
    void evictionsAreNoCrashes() {
        stage.applyGoodTasks();
        stage.apply(Stage.RUN_YAML + "  backoffLimit: 2\n");
        stage.trainerSays(Statuses.at(RunStatus.Phase.LOADING, 0));
        for (int i = 1; i <= 3; i++) {
            int count = i;
            stage.awaitRun(
                    "has " + i + " attempts",
                    run -> run.getStatus().attempts() != null
                            && run.getStatus().attempts().size() == count);
            Pod pod = stage.awaitPod("run-trainer-0");
            stage.kubelet().evict(pod);
            Await.until("another pod is made", Await.SOON, () -> {
                Pod next = stage.pod("run-trainer-0");
                return next != null
                        && !next.getMetadata().getUid().equals(pod.getMetadata().getUid());
            });
            stage.kubelet().ready(stage.awaitPod("run-trainer-0"));
        }

        TrainingRun run = stage.awaitRun(
                "has three ended attempts",
                seen -> seen.getStatus().attempts().stream()
                                .filter(attempt -> "Evicted".equals(attempt.reason()))
                                .count()
                        == 3);
        assertThat(run.getStatus().failures()).isZero();
        assertThat(is(run, "Failed")).isFalse();
    }

    @Test
    void aRestartOfTheOperatorChangesNoStatefulSet() {
        stage.startRun(3);
        Map<String, Long> before = generations();
        Map<String, String> pods = uids();

        cluster.restartOperator("operator-restarted");
        stage.awaitRun("is still running", run -> run.getStatus().phase() == Phase.RUNNING);

        Await.holds(
                "no StatefulSet changes",
                Duration.ofSeconds(3),
                () -> generations().equals(before));
        assertThat(uids()).isEqualTo(pods);
    }

    private void crash(Pod pod, int expectedFailures) {
        stage.kubelet().crashAndRestart(pod, "Error", 1);
        stage.awaitRun(
                "has " + expectedFailures + " failures", run -> run.getStatus().failures() == expectedFailures);
    }

    private Map<String, String> uids() {
        return stage.podsOfRun().stream()
                .collect(Collectors.toMap(
                        pod -> pod.getMetadata().getName(),
                        pod -> pod.getMetadata().getUid()));
    }

    private Map<String, Long> generations() {
        return stage.client().apps().statefulSets().inNamespace(stage.namespace()).list().getItems().stream()
                .collect(Collectors.toMap(
                        set -> set.getMetadata().getName(),
                        set -> set.getMetadata().getGeneration()));
    }

    private List<PersistentVolumeClaim> claims() {
        return stage.client()
                .persistentVolumeClaims()
                .inNamespace(stage.namespace())
                .list()
                .getItems();
    }

    private List<String> events() {
        return stage.client().v1().events().inNamespace(stage.namespace()).list().getItems().stream()
                .map(event -> event.getReason() + ": " + event.getMessage())
                .toList();
    }
}
