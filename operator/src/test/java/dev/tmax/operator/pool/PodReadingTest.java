package dev.tmax.operator.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tmax.contracts.sandbox.SandboxContract;
import dev.tmax.operator.pool.PodView.Life;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PodReadingTest {

    private static final Instant MADE = Instant.parse("2026-01-01T12:00:00Z");

    @Test
    void aNewPodIsWarmingUntilItsContainerRunsAndSilentUntilItAnswers() {
        assertThat(view(pod("Pending", waiting("ContainerCreating"), null)).life())
                .isEqualTo(Life.WARMING);
        assertThat(view(pod("Running", running(5), null)).life()).isEqualTo(Life.SILENT);
        assertThat(view(pod("Running", running(5), "True")).life()).isEqualTo(Life.READY);
    }

    @Test
    void silenceBeginsWithTheContainerAndNotWithThePullBeforeIt() {
        assertThat(view(pod("Running", running(300), "False")).since()).isEqualTo(MADE.plusSeconds(300));
    }

    @Test
    void aPodWhoseImageCannotBeHadOrRunIsStuckAndSaysWhy() {
        for (String reason : List.of("ImagePullBackOff", "ErrImagePull", "CreateContainerError")) {
            PodView view = view(pod("Pending", waiting(reason), null));
            assertThat(view.life()).isEqualTo(Life.STUCK);
            assertThat(view.problem()).contains("p-a-2-7", reason);
        }
    }

    @Test
    void onlyAnEndOfItsOwnAtTheVeryStartSaysThatTheImageIsBad() {
        assertThat(view(pod("Failed", ended(1, "Error", 3), null)).life()).isEqualTo(Life.FAILED_AT_START);
        assertThat(view(pod("Failed", ended(137, "OOMKilled", 3), null)).life()).isEqualTo(Life.FAILED_AT_START);
        assertThat(view(pod("Failed", ended(1, "Error", 30), null)).life()).isEqualTo(Life.ENDED);
        assertThat(view(pod("Failed", ended(137, "Error", 3), null)).life())
                .as("killed from outside")
                .isEqualTo(Life.ENDED);
        assertThat(view(pod("Succeeded", ended(0, "Completed", 3), null)).life())
                .isEqualTo(Life.ENDED);
    }

    @Test
    void aContainerThatCouldNotBeStartedFailedAtStart() {
        ContainerState never = new ContainerStateBuilder()
                .withNewTerminated()
                .withExitCode(128)
                .withReason("StartError")
                .withMessage("exec /opt/tmax/bin/env-runner: exec format error")
                .withStartedAt("1970-01-01T00:00:00Z")
                .withFinishedAt(MADE.toString())
                .endTerminated()
                .build();

        PodView view = view(pod("Failed", never, null));

        assertThat(view.life()).isEqualTo(Life.FAILED_AT_START);
        assertThat(view.problem()).contains("exec format error", "128");
    }

    @Test
    void theNameSaysWhichPodOfWhichEntryItIs() {
        PodView view = view(pod("Pending", waiting("ContainerCreating"), null));

        assertThat(view.name()).isEqualTo(new PodView.PodName("p", "a", 2, 7));
    }

    @Test
    void thePodsThatAreSeenToBecomeReadyAreTimed() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        PodLives lives = new PodLives(registry);

        lives.observe("pool", List.of(pod("Pending", waiting("ContainerCreating"), null)));
        lives.observe("pool", List.of(pod("Running", running(4), "True")));
        lives.observe("pool", List.of(pod("Running", running(4), "True")));
        lives.observe("another", List.of(pod("Running", running(4), "True")));

        var timer = registry.get("tmax.sandbox.pod.start").timer();
        assertThat(timer.count()).as("only the one that was seen before").isEqualTo(1);
        assertThat(timer.totalTime(TimeUnit.SECONDS)).isEqualTo(10);
    }

    private static PodView view(Pod pod) {
        return PodReading.view(pod).orElseThrow();
    }

    /** @param ready status of the condition Ready since ten seconds after the creation; null for none */
    private static Pod pod(String phase, ContainerState state, String ready) {
        PodBuilder pod = new PodBuilder()
                .withNewMetadata()
                .withName("p-a-2-7")
                .withUid("uid")
                .withCreationTimestamp(MADE.toString())
                .addToLabels(SandboxContract.POOL_LABEL, "p")
                .addToLabels(SandboxContract.ENTRY_LABEL, "a")
                .addToAnnotations(SandboxContract.IMAGE_ANNOTATION, "a:1")
                .addToAnnotations(SandboxPod.INDEX_ANNOTATION, "2")
                .endMetadata()
                .withNewStatus()
                .withPhase(phase)
                .withContainerStatuses(new ContainerStatusBuilder()
                        .withName("sandbox")
                        .withImage("a:1")
                        .withState(state)
                        .build())
                .endStatus();
        if (ready != null) {
            pod.editStatus()
                    .addNewCondition()
                    .withType("Ready")
                    .withStatus(ready)
                    .withLastTransitionTime(MADE.plusSeconds(10).toString())
                    .endCondition()
                    .endStatus();
        }
        return pod.build();
    }

    private static ContainerState waiting(String reason) {
        return new ContainerStateBuilder().withNewWaiting("why", reason).build();
    }

    private static ContainerState running(int secondsAfter) {
        return new ContainerStateBuilder()
                .withNewRunning(MADE.plusSeconds(secondsAfter).toString())
                .build();
    }

    private static ContainerState ended(int exitCode, String reason, int seconds) {
        return new ContainerStateBuilder()
                .withNewTerminated()
                .withExitCode(exitCode)
                .withReason(reason)
                .withStartedAt(MADE.toString())
                .withFinishedAt(MADE.plusSeconds(seconds).toString())
                .endTerminated()
                .build();
    }
}
