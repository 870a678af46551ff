package dev.tmax.e2e.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tmax.contracts.sandbox.SandboxContract;
import dev.tmax.contracts.status.RunStatus;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SandboxPoolTest extends OperatorTest {

    @BeforeEach
    void startRun() {
        stage.applyGoodTasks();
        stage.apply(Stage.RUN_YAML + "  sandboxes: {maxPods: 3, attemptsPerPod: 4}\n");
        stage.trainerSays(Statuses.at(RunStatus.Phase.RUNNING, 1));
        Await.until("the pool is there", Await.SOON, () -> stage.pool() != null);
    }

    @AfterEach
    void removeQuota() {
        stage.client().resourceQuotas().inNamespace(Cluster.SANDBOX_NAMESPACE).delete();
    }

    @Test
    void demandBecomesPodsThatHoldTheContract() {
        stage.demand("{name: image-a, image: 'a:1', attempts: 5, step: 1}");

        awaitPods("image-a-0-0", "image-a-1-0");

        Pod pod = sandbox("image-a-0-0");
        byte[] key = Base64.getDecoder()
                .decode(stage.get(Secret.class, "run-secrets").getData().get(SandboxContract.SECRET_KEY));
        assertThat(pod.getSpec().getContainers().getFirst().getEnv())
                .contains(new EnvVar(
                        SandboxContract.TOKEN_VARIABLE,
                        SandboxContract.token(key, pod.getMetadata().getName()),
                        null));
        assertThat(pod.getMetadata().getAnnotations()).containsEntry(SandboxContract.IMAGE_ANNOTATION, "a:1");
        assertThat(pod.getSpec().getHostUsers()).isFalse();
        assertThat(pod.getSpec().getAutomountServiceAccountToken()).isFalse();
        assertThat(pod.getSpec().getContainers().getFirst().getSecurityContext().getProcMount())
                .isEqualTo("Unmasked");
        assertThat(pod.getMetadata().getOwnerReferences())
                .singleElement()
                .satisfies(owner -> assertThat(owner.getUid())
                        .isEqualTo(stage.pool().getMetadata().getUid()));
    }

    @Test
    void earlierStepsComeFirstAndMaxPodsHolds() {
        stage.demand(
                "{name: late, image: 'b:1', attempts: 8, step: 7}",
                "{name: early, image: 'a:1', attempts: 8, step: 2}");

        awaitPods("early-0-0", "early-1-0", "late-0-0");
        Await.holds(
                "never more than maxPods",
                Duration.ofSeconds(2),
                () -> stage.sandboxPods().size() <= 3);
    }

    @Test
    void whatNobodyAsksForAnyMoreGoes() {
        stage.demand("{name: image-a, image: 'a:1', attempts: 8, step: 1}");
        awaitPods("image-a-0-0", "image-a-1-0");

        stage.demand("{name: image-a, image: 'a:1', attempts: 4, step: 1}");
        awaitPods("image-a-0-0");

        stage.demand();
        awaitPods();
    }

    @Test
    void anEndedPodIsReplacedUnderAnotherName() {
        stage.demand("{name: image-a, image: 'a:1', attempts: 4, step: 1}");
        awaitPods("image-a-0-0");

        stage.kubelet().ended(sandbox("image-a-0-0"), "Succeeded", "");

        awaitPods("image-a-0-1");
        Await.until(
                "it is counted",
                Await.SOON,
                () -> stage.pool().getStatus() != null
                        && stage.pool().getStatus().pods().replaced() == 1);
    }

    @Test
    void aDeletedPodIsMadeAgain() {
        stage.demand("{name: image-a, image: 'a:1', attempts: 4, step: 1}");
        awaitPods("image-a-0-0");
        Pod first = sandbox("image-a-0-0");

        stage.client().resource(first).delete();

        Await.until(
                "another pod is there",
                Await.SOON,
                stage::sandboxPods,
                pods -> pods.size() == 1
                        && !pods.getFirst()
                                .getMetadata()
                                .getUid()
                                .equals(first.getMetadata().getUid()));
    }

    @Test
    void aBadImageTakesOnlyItsOwnEntryDown() {
        stage.demand(
                "{name: bad, image: 'no-such:1', attempts: 8, step: 1}",
                "{name: good, image: 'a:1', attempts: 8, step: 2}");
        awaitPods("bad-0-0", "bad-1-0", "good-0-0");

        stage.kubelet().waiting(sandbox("bad-0-0"), "ImagePullBackOff", "Back-off pulling image \"no-such:1\"");

        awaitPods("bad-0-0", "good-0-0", "good-1-0");
        Await.until(
                "the entry says why",
                Await.SOON,
                () -> stage.pool().getStatus().entries().stream()
                        .anyMatch(entry -> entry.name().equals("bad")
                                && entry.reason() != null
                                && entry.reason().contains("no-such:1")));
        assertThat(readyCondition().getReason()).isEqualTo("ImagePullBackOff");
    }

    @Test
    void aQuotaIsACondition() {
        stage.client()
                .resource(new ResourceQuotaBuilder()
                        .withNewMetadata()
                        .withName("none")
                        .withNamespace(Cluster.SANDBOX_NAMESPACE)
                        .endMetadata()
                        .withNewSpec()
                        .withHard(Map.of("pods", new Quantity("0")))
                        .endSpec()
                        .build())
                .create();
        Await.until(
                "the quota is counted",
                Await.SOON,
                () -> stage.client()
                                .resourceQuotas()
                                .inNamespace(Cluster.SANDBOX_NAMESPACE)
                                .withName("none")
                                .get()
                                .getStatus()
                                .getHard()
                        != null);

        stage.demand("{name: image-a, image: 'a:1', attempts: 4, step: 1}");

        Await.until(
                "the pool says so",
                Await.SOON,
                () -> stage.pool().getStatus() != null
                        && readyCondition().getReason().equals("QuotaExceeded")
                        && readyCondition().getMessage().contains("exceeded quota: none"));
        stage.awaitRun(
                "says so, too",
                run -> Stage.condition(run, "SandboxesReady").getReason().equals("QuotaExceeded"));

        stage.client().resourceQuotas().inNamespace(Cluster.SANDBOX_NAMESPACE).delete();
        awaitPods("image-a-0-0");
    }

    @Test
    void readyPodsMakeThePoolReady() {
        stage.demand("{name: image-a, image: 'a:1', attempts: 4, step: 1}");
        awaitPods("image-a-0-0");

        stage.kubelet().ready(sandbox("image-a-0-0"));

        Await.until(
                "the pool is ready",
                Await.SOON,
                () -> stage.pool().getStatus() != null
                        && readyCondition().getStatus().equals("True"));
        stage.awaitRun(
                "has ready sandboxes",
                run -> Stage.is(run, "SandboxesReady")
                        && run.getStatus().sandboxes().ready() == 1);
    }

    @Test
    void theOperatorNeverTouchesTheDemand() {
        stage.demand("{name: image-a, image: 'a:1', attempts: 4, step: 1}");
        awaitPods("image-a-0-0");

        stage.patchRun("{\"sandboxes\":{\"maxPods\":5}}");

        Await.until(
                "the pool is changed", Await.SOON, () -> stage.pool().getSpec().maxPods() == 5);
        assertThat(stage.pool().getSpec().demand()).hasSize(1);
    }

    @Test
    void aRestartOfTheOperatorMakesNoPodTwice() {
        stage.demand("{name: image-a, image: 'a:1', attempts: 12, step: 1}");
        awaitPods("image-a-0-0", "image-a-1-0", "image-a-2-0");
        Set<String> before = uids();

        cluster.restartOperator("operator-" + stage.namespace());

        Await.holds("the pods stay", Duration.ofSeconds(2), () -> uids().equals(before));
    }

    private Condition readyCondition() {
        return stage.pool().getStatus().conditions().stream()
                .filter(condition -> condition.getType().equals("Ready"))
                .findFirst()
                .orElseThrow();
    }

    private Pod sandbox(String suffix) {
        return stage.client()
                .pods()
                .inNamespace(Cluster.SANDBOX_NAMESPACE)
                .withName(stage.poolName() + "-" + suffix)
                .get();
    }

    private Set<String> uids() {
        return stage.sandboxPods().stream()
                .map(pod -> pod.getMetadata().getUid())
                .collect(Collectors.toSet());
    }

    private void awaitPods(String... suffixes) {
        Set<String> wanted = List.of(suffixes).stream()
                .map(suffix -> stage.poolName() + "-" + suffix)
                .collect(Collectors.toCollection(TreeSet::new));
        Await.until(
                "exactly the pods " + wanted,
                Await.SOON,
                () -> stage.sandboxPods().stream()
                        .map(pod -> pod.getMetadata().getName())
                        .collect(Collectors.toCollection(TreeSet::new)),
                wanted::equals);
    }
}
