package dev.tmax.e2e.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One run of the real model, from apply to Succeeded, with a fault of each kind on its way. The tests are the stations of
 * that run, in order: a run costs minutes, and the faults must not only be survived alone.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RunSurvivesFaultsTest extends ClusterTest {

    private static final String RUN = "smol";
    private static final int STEPS = 20;
    private static final Duration STEP = Duration.ofSeconds(150);

    RunSurvivesFaultsTest() {
        super("e2e-faults");
    }

    @Test
    @Order(1)
    void reachesItsFirstStep() {
        namespace().apply("tasks.yaml");
        namespace().apply("smol-run.yaml", Map.of("      SYSTEM_PROMPT", SystemPrompt.indented(6)));

        Observed run = awaitStep(1, Duration.ofMinutes(4));

        assertThat(run.phase()).isEqualTo("Running");
        assertThat(run.is("TrainerReady")).isTrue();
        assertThat(namespace().taskSet("quickstart").is("Valid")).isTrue();
    }

    @Test
    @Order(2)
    void generatorsScaleInTheMiddle() {
        client().genericKubernetesResources(TestNamespace.API, "TrainingRun")
                .inNamespace(namespace().name())
                .withName(RUN)
                .scale(2);

        Await.until(
                "two generators are ready",
                Duration.ofSeconds(120),
                () -> namespace().run(RUN),
                seen -> Integer.valueOf(2).equals(seen.status("generators", "ready")));
    }

    @ParameterizedTest
    @Order(3)
    @ValueSource(
            strings = {
                "tmax_run_step{namespace='e2e-faults'}",
                "tmax_trainer_step{namespace='e2e-faults'}",
                "tmax_trainer_reward{namespace='e2e-faults'}",
                "tmax_trainer_log_probability_difference{namespace='e2e-faults',statistic='mean'}",
                "sum(tmax_generator_tokens_total{namespace='e2e-faults'})",
            })
    void prometheusScrapesOperatorTrainerAndGenerators(String expression) {
        try (Prometheus prometheus = new Prometheus()) {
            Await.until(
                    expression + " has a value",
                    Duration.ofSeconds(45),
                    () -> prometheus.query(expression),
                    OptionalDouble::isPresent);
        }
    }

    @Test
    @Order(4)
    void aDeletedGeneratorComesBack() {
        Pod generator = namespace().pod(RUN + "-generator-0");
        client().resource(generator).withGracePeriod(0).delete();

        Await.until(
                "the generator is made again",
                Duration.ofSeconds(60),
                () -> namespace().pod(RUN + "-generator-0"),
                pod -> pod != null
                        && !pod.getMetadata()
                                .getUid()
                                .equals(generator.getMetadata().getUid()));
        awaitStep(namespace().run(RUN).step() + 1, STEP);
    }

    @Test
    @Order(5)
    void aDeletedSandboxPodIsReplaced() {
        Pod sandbox = Await.until(
                        "a sandbox pod is there",
                        Duration.ofSeconds(60),
                        namespace()::sandboxPods,
                        pods -> !pods.isEmpty())
                .getFirst();
        client().resource(sandbox).withGracePeriod(0).delete();

        Await.until(
                "another sandbox pod is ready",
                Duration.ofSeconds(60),
                namespace()::sandboxPods,
                pods -> pods.stream()
                        .anyMatch(pod -> !pod.getMetadata()
                                        .getUid()
                                        .equals(sandbox.getMetadata().getUid())
                                && Pods.ready(pod)));
        awaitStep(namespace().run(RUN).step() + 1, STEP);
    }

    @Test
    @Order(6)
    void theOperatorsLeaderMayDieAndNoPodRestarts() {
        Map<String, String> before = uidsByName(namespace().pods());
        Operators operators = new Operators(client());
        operators.deleteLeader();

        operators.awaitNewLeader();
        awaitStep(namespace().run(RUN).step() + 1, STEP);

        assertThat(uidsByName(namespace().pods())).isEqualTo(before);
    }

    @Test
    @Order(7)
    void aKilledTrainerGoesOnFromItsLastCheckpoint() {
        Await.until("a checkpoint is there", STEP, namespace()::checkpoints, found -> !found.isEmpty());
        int before = namespace().run(RUN).step();
        killTrainer();

        awaitStep(Math.min(before + 1, STEPS), Duration.ofMinutes(4));
    }

    @Test
    @Order(8)
    void theRunSucceedsAndTheCountsHold() {
        Observed run = namespace().awaitRun(RUN, "is complete", Duration.ofMinutes(6), seen -> seen.is("Complete"));

        assertThat(run.phase()).isEqualTo("Succeeded");
        assertThat(run.step()).isEqualTo(STEPS);
        // A step whose groups all say nothing is no new version.
        assertThat(run.policyVersion()).isBetween(1, STEPS);
        assertThat(namespace().checkpoints())
                .as("keep: 2")
                .hasSize(2)
                .allSatisfy(checkpoint ->
                        assertThat(new Observed(checkpoint).status("complete")).isEqualTo(true));
    }

    @Test
    @Order(9)
    void nothingLeaks() {
        awaitNoSandboxPods();
        Await.until("no pod of the run is left", GONE_WITHIN, namespace()::pods, List::isEmpty);
    }

    private Observed awaitStep(int step, Duration limit) {
        return namespace().awaitRun(RUN, "is at step " + step, limit, seen -> seen.step() >= step);
    }

    /**
     * kill −9 of the trainer's process, as the kernel does when memory is short. From outside: within its own process
     * namespace it is process 1, which no signal from inside can end.
     */
    private void killTrainer() {
        String uid = namespace().pod(RUN + "-trainer-0").getMetadata().getUid();
        List<ProcessHandle> processes = ProcessHandle.allProcesses()
                .filter(process -> process.info().command().orElse("").endsWith("/java"))
                .filter(process -> belongsTo(process, uid))
                .toList();
        assertThat(processes).as("the trainer's process on this machine").hasSize(1);
        processes.getFirst().destroyForcibly();
    }

    private static boolean belongsTo(ProcessHandle process, String podUid) {
        try {
            return Files.readString(Path.of("/proc", String.valueOf(process.pid()), "cgroup"))
                    .contains(podUid);
        } catch (IOException e) {
            return false; // It has ended meanwhile.
        }
    }
}
