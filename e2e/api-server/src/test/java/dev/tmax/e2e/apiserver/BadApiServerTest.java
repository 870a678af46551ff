package dev.tmax.e2e.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tmax.api.v1alpha1.Checkpoint;
import dev.tmax.api.v1alpha1.TrainingRun;
import dev.tmax.contracts.status.RunStatus;
import dev.tmax.e2e.apiserver.FaultProxy.Fault;
import dev.tmax.e2e.apiserver.FaultProxy.Request;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.ResourceNotFoundException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The operator against an API server that refuses, conflicts, is silent, or loses answers. Counted by a watch of its own. */
class BadApiServerTest extends OperatorTest {

    private static final Predicate<Request> MAKING_A_POD = Request.to("POST", "pods");
    private static final Fault.Refuse BROKEN = new Fault.Refuse(500, "InternalError", "etcdserver: request timed out");
    private static final Fault.Refuse BUSY = new Fault.Refuse(429, "TooManyRequests", "too many requests");
    private static final Fault.Refuse CONFLICT =
            new Fault.Refuse(409, "Conflict", "Operation cannot be fulfilled: the object has been modified");

    /** Many requests, each refused some times, and each time followed by a pause. */
    private static final Duration LONG = Duration.ofMinutes(4);

    private static FaultProxy proxy;

    @BeforeAll
    static void standBetween(Cluster.Running running) {
        proxy = running.restartOperatorBehindProxy();
    }

    @AfterEach
    void calm() {
        proxy.calm();
    }

    @AfterAll
    static void stepAside(Cluster.Running running) {
        running.restartOperator("operator-after-faults");
        proxy.close();
    }

    @Test
    void aRunGetsItsChildrenAndItsStatusAndNothingTwice() {
        storm();
        stage.applyGoodTasks();
        stage.apply(Stage.RUN_YAML);
        ServedTrainer trainer = stage.trainerSays(Statuses.at(RunStatus.Phase.RUNNING, 3, Statuses.snapshot(2)));
        stage.generatorsReady(2);
        Await.until("the run says how far it is", LONG, () -> {
            var status = stage.run().getStatus();
            return status != null
                    && Integer.valueOf(3).equals(status.step())
                    && Stage.is(stage.run(), "Ready")
                    && stage.checkpoints().size() == 1;
        });
        List<String> whileItRan = children();

        trainer.says(Statuses.at(RunStatus.Phase.RUNNING, 4, Statuses.snapshot(2)));
        Await.until(
                "the next step is seen",
                LONG,
                () -> Integer.valueOf(4).equals(stage.run().getStatus().step()));

        assertThat(proxy.struck()).as("faults met").isGreaterThan(10);
        assertThat(children()).as("the same objects as before").isEqualTo(whileItRan);
        assertThat(whileItRan)
                .extracting(child -> child.substring(0, child.lastIndexOf(' ')))
                .doesNotHaveDuplicates();
        assertThat(stage.client().resources(Event.class).inNamespace(stage.namespace()).list().getItems().stream()
                        .filter(event ->
                                "tmax-operator".equals(event.getSource().getComponent()))
                        .map(event ->
                                event.getInvolvedObject().getName() + event.getMessage() + event.getFirstTimestamp()))
                .doesNotHaveDuplicates();
    }

    @Test
    void thePoolKeepsItsInvariantsWhateverIsAsked() {
        startPool(6, 2);
        storm();
        Random random = new Random(1);
        try (PodCensus census = new PodCensus(stage.client(), stage.poolName())) {
            for (int round = 0; round < 12; round++) {
                stage.demand(IntStream.range(0, 1 + random.nextInt(4))
                        .mapToObj(i -> entry("abcdef".charAt(random.nextInt(6)), 1 + random.nextInt(6), i))
                        .collect(Collectors.toMap(e -> e.substring(0, 8), e -> e, (first, second) -> first))
                        .values()
                        .toArray(String[]::new));
                Await.until(
                        "the demand is seen",
                        Await.SOON,
                        () -> stage.pool().getStatus() != null
                                && stage.pool()
                                        .getMetadata()
                                        .getGeneration()
                                        .equals(stage.pool().getStatus().observedGeneration()));
                playKubelet(random);
            }
            stage.demand(entry('a', 4, 1), entry('b', 5, 2), entry('z', 9, 3));
            awaitEntries("a a b b b z");

            assertThat(census.mostAlive()).as("most pods at one time").isEqualTo(6);
            assertThat(census.doubles()).isEmpty();
            assertThat(census.made()).isGreaterThan(10);
            assertThat(proxy.struck()).as("faults met").isGreaterThan(10);

            stage.deleteRun();
            Await.until("no pod is left", Await.SOON, () -> stage.sandboxPods().isEmpty());
        }
    }

    @Test
    void aPodWhoseAnswerIsLostIsNotMadeTwice() {
        startPool(6, 1);
        proxy.strike(MAKING_A_POD, 1, new Fault.LoseAnswer());
        try (PodCensus census = new PodCensus(stage.client(), stage.poolName())) {
            stage.demand(entry('a', 3, 1), entry('b', 2, 2));

            awaitEntries("a a a b b");
            assertThat(census.made()).isEqualTo(5);
        }
    }

    @Test
    void anApiServerThatIsSilentIsAskedAgain() {
        startPool(6, 1);
        proxy.strike(MAKING_A_POD, 2, new Fault.Hang());

        stage.demand(entry('a', 2, 1));

        awaitEntries("a a");
        assertThat(proxy.struck()).isPositive();
    }

    @Test
    void aLongRefusalIsAConditionAndEndsByItself() {
        startPool(6, 1);
        proxy.strike(MAKING_A_POD, 1, BROKEN);

        stage.demand(entry('a', 2, 1));

        Await.until("the pool says who refuses", Await.SOON, () -> readyReason().equals("ApiServerRefused"));
        stage.awaitRun(
                "says so, too",
                run -> Stage.condition(run, "SandboxesReady").getReason().equals("ApiServerRefused"));
        proxy.calm();
        awaitEntries("a a");
        Await.until(
                "the pool no longer says so", Await.SOON, () -> readyReason().equals("Warming"));
    }

    @Test
    void whoIsForbiddenToMakePodsDoesNotInsist() {
        startPool(6, 1);
        proxy.strike(MAKING_A_POD, 1, new Fault.Refuse(403, "Forbidden", "pods is forbidden: exceeded quota: small"));
        long before = proxy.count(MAKING_A_POD);

        stage.demand(entry('a', 2, 1), entry('b', 4, 2));

        Await.until("the pool says so", Await.SOON, () -> readyReason().equals("QuotaExceeded"));
        // The pause is four seconds here, and a try ends at the first refusal.
        Await.holds("few tries", Duration.ofSeconds(3), () -> proxy.count(MAKING_A_POD) - before <= 2);
        proxy.calm();
        awaitEntries("a a b b b b");
    }

    @Test
    void podsOnTheirWayAreBounded() {
        startPool(64, 1);
        try (PodCensus census = new PodCensus(stage.client(), stage.poolName())) {
            stage.demand(IntStream.range(0, 12)
                    .mapToObj(i -> entry((char) ('a' + i), 6, i))
                    .toArray(String[]::new));
            Await.until("as many as may be on their way", Await.SOON, () -> census.made() == 32);
            Await.holds("no more", Duration.ofSeconds(2), () -> census.made() == 32);

            stage.kubelet().ready(stage.sandboxPods().getFirst());

            Await.until("the others of the image that has started", Await.SOON, () -> census.made() == 33);
            assertThat(census.mostPending()).isLessThanOrEqualTo(32);
        }
    }

    @Test
    void withoutATrainerThePodsAreGivenBack() {
        startPool(6, 1);
        stage.demand(entry('a', 2, 1));
        awaitEntries("a a");

        stage.kubelet().unschedulable(stage.pod("run-trainer-0"), "0/2 nodes are available");
        Await.until("the run has no trainer", Await.SOON, () -> !Stage.is(stage.run(), "TrainerReady"));
        // As if this were longer ago than a lease lasts.
        Await.until("no sandbox waits for it", Await.SOON, () -> {
            try {
                backdateTrainer();
            } catch (KubernetesClientException e) {
                // The operator wrote the status in between; the next look tries again.
                assertThat(e.getCode()).isEqualTo(409);
            }
            return stage.sandboxPods().isEmpty();
        });
        Await.until("the pool says why", Await.SOON, () -> readyReason().equals("NoTrainer"));

        stage.kubelet().ready(stage.pod("run-trainer-0"));
        awaitEntries("a a");
    }

    private void backdateTrainer() {
        stage.client()
                .resources(TrainingRun.class)
                .inNamespace(stage.namespace())
                .withName(Stage.RUN)
                .editStatus(run -> {
                    run.getStatus().conditions().stream()
                            .filter(condition -> condition.getType().equals("TrainerReady"))
                            .forEach(condition -> condition.setLastTransitionTime("2026-01-01T00:00:00Z"));
                    return run;
                });
    }

    /** Of everything that the operator asks, some is refused, some conflicts, and some is done without its being told. */
    private static void storm() {
        proxy.strike(Request.writes(), 4, BROKEN);
        proxy.strike(Request.writes(), 5, new Fault.LoseAnswer());
        proxy.strike(Request.writes(), 9, CONFLICT);
        proxy.strike(Request.writes(), 13, BUSY);
        proxy.strike(Request.reads(), 5, BROKEN);
    }

    private void startPool(int maxPods, int attemptsPerPod) {
        stage.applyGoodTasks();
        stage.apply(
                Stage.RUN_YAML + "  sandboxes: {maxPods: " + maxPods + ", attemptsPerPod: " + attemptsPerPod + "}\n");
        stage.trainerSays(Statuses.at(RunStatus.Phase.RUNNING, 1));
        Await.until("the pool is there", Await.SOON, () -> stage.pool() != null);
        Await.until("the trainer is seen", Await.SOON, () -> Stage.is(stage.run(), "TrainerReady"));
    }

    private static String entry(char image, int attempts, int step) {
        return "{name: " + image + ", image: '" + image + ":1', attempts: " + attempts + ", step: " + step + "}";
    }

    /** Some pods start, some end; some are deleted meanwhile. */
    private void playKubelet(Random random) {
        for (Pod pod : stage.sandboxPods()) {
            try {
                switch (random.nextInt(4)) {
                    case 0 -> stage.kubelet().ready(pod);
                    case 1 -> stage.kubelet().ended(pod, "Succeeded", "");
                    default -> {}
                }
            } catch (KubernetesClientException | ResourceNotFoundException e) {
                assertThat(stage.client().resource(pod).get())
                        .as("gone before it changed")
                        .isNull();
            }
        }
    }

    private void awaitEntries(String entries) {
        Await.until(
                "pods of the entries " + entries,
                Await.SOON,
                () -> stage.sandboxPods().stream()
                        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                        .map(pod -> pod.getMetadata().getLabels().get("tmax.dev/sandbox-entry"))
                        .sorted()
                        .collect(Collectors.joining(" ")),
                entries::equals);
    }

    private String readyReason() {
        return stage.pool().getStatus() == null
                ? ""
                : stage.pool().getStatus().conditions().stream()
                        .filter(condition -> condition.getType().equals("Ready"))
                        .map(Condition::getReason)
                        .findFirst()
                        .orElse("");
    }

    /** {@code KIND NAME UID} of what the run has. */
    private List<String> children() {
        return Stream.of(StatefulSet.class, Secret.class, Service.class, PersistentVolumeClaim.class, Checkpoint.class)
                .flatMap(kind ->
                        stage.client().resources(kind).inNamespace(stage.namespace()).list().getItems().stream())
                .map(HasMetadata.class::cast)
                .map(child -> child.getKind() + " " + child.getMetadata().getName() + " "
                        + child.getMetadata().getUid())
                .collect(Collectors.toCollection(TreeSet::new))
                .stream()
                .toList();
    }
}
