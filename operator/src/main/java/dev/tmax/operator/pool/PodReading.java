package dev.tmax.operator.pool;

import dev.tmax.contracts.sandbox.SandboxContract;
import dev.tmax.operator.pod.PodProblem;
import dev.tmax.operator.pod.Pods;
import dev.tmax.operator.pool.PodView.Life;
import dev.tmax.operator.pool.PodView.PodName;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateRunning;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads a sandbox pod of the API server as the plan sees it. */
final class PodReading {

    /** A container that ends by itself within this time never hosted an attempt. */
    private static final Duration AT_START = Duration.ofSeconds(10);

    private static final int KILLED = 137;

    private PodReading() {}

    /** Empty for a pod that was not made by {@link SandboxPod#render}. */
    static Optional<PodView> view(Pod pod) {
        Map<String, String> labels = pod.getMetadata().getLabels();
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        if (labels == null || annotations == null || !annotations.containsKey(SandboxPod.INDEX_ANNOTATION)) {
            return Optional.empty();
        }
        String name = pod.getMetadata().getName();
        try {
            PodName podName = new PodName(
                    labels.get(SandboxContract.POOL_LABEL),
                    labels.get(SandboxContract.ENTRY_LABEL),
                    Integer.parseInt(annotations.get(SandboxPod.INDEX_ANNOTATION)),
                    Integer.parseInt(name.substring(name.lastIndexOf('-') + 1)));
            Life life = life(pod);
            return Optional.of(new PodView(
                    podName,
                    annotations.get(SandboxContract.IMAGE_ANNOTATION),
                    life,
                    since(pod, life),
                    Pods.isTerminating(pod),
                    problem(pod)));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static Life life(Pod pod) {
        if (Pods.hasEnded(pod)) {
            return terminated(pod).filter(PodReading::failedAtStart).isPresent() ? Life.FAILED_AT_START : Life.ENDED;
        }
        if (isReady(pod)) {
            return Life.READY;
        }
        if (container(pod).map(ContainerState::getRunning).isPresent()) {
            return Life.SILENT;
        }
        return PodProblem.of(pod).filter(PodProblem::concernsImage).isPresent() ? Life.STUCK : Life.WARMING;
    }

    /** Also while it is being deleted: it is what it is until it has ended. */
    private static boolean isReady(Pod pod) {
        return readyCondition(pod)
                .filter(condition -> "True".equals(condition.getStatus()))
                .isPresent();
    }

    private static Instant since(Pod pod, Life life) {
        Instant made = Instant.parse(pod.getMetadata().getCreationTimestamp());
        return switch (life) {
            case WARMING, STUCK -> made;
            case READY -> readyCondition(pod).flatMap(PodReading::changed).orElse(made);
            // Ready has been False since before the container ran, where it was never True.
            case SILENT ->
                Stream.of(
                                container(pod)
                                        .map(ContainerState::getRunning)
                                        .map(ContainerStateRunning::getStartedAt)
                                        .map(Instant::parse),
                                readyCondition(pod).flatMap(PodReading::changed))
                        .flatMap(Optional::stream)
                        .max(Instant::compareTo)
                        .orElse(made);
            case ENDED, FAILED_AT_START ->
                terminated(pod)
                        .map(ContainerStateTerminated::getFinishedAt)
                        .map(Instant::parse)
                        .orElse(made);
        };
    }

    private static String problem(Pod pod) {
        if (!Pods.hasEnded(pod)) {
            return PodProblem.of(pod).map(PodProblem::message).orElse("");
        }
        String said = pod.getStatus().getReason() == null
                ? ""
                : pod.getStatus().getReason()
                        + (pod.getStatus().getMessage() == null
                                ? ""
                                : ": " + pod.getStatus().getMessage());
        return terminated(pod)
                .map(end -> "pod " + pod.getMetadata().getName() + ": exit code " + end.getExitCode()
                        + (end.getReason() == null ? "" : ", " + end.getReason())
                        + (end.getMessage() == null || end.getMessage().isBlank() ? "" : ": " + end.getMessage())
                        + (said.isEmpty() ? "" : "; " + said))
                .orElse(said);
    }

    private static boolean failedAtStart(ContainerStateTerminated end) {
        if (end.getExitCode() == null
                || end.getExitCode() == 0
                || end.getExitCode() == KILLED && !"OOMKilled".equals(end.getReason())) {
            return false;
        }
        if (end.getStartedAt() == null || end.getFinishedAt() == null) {
            return true;
        }
        Instant started = Instant.parse(end.getStartedAt());
        // A container that could not be started at all is said to have been started in 1970.
        return started.equals(Instant.EPOCH)
                || Duration.between(started, Instant.parse(end.getFinishedAt())).compareTo(AT_START) < 0;
    }

    private static Optional<ContainerStateTerminated> terminated(Pod pod) {
        return container(pod).map(ContainerState::getTerminated);
    }

    private static Optional<ContainerState> container(Pod pod) {
        return pod.getStatus() == null
                ? Optional.empty()
                : pod.getStatus().getContainerStatuses().stream()
                        .map(ContainerStatus::getState)
                        .filter(state -> state != null)
                        .findFirst();
    }

    private static Optional<PodCondition> readyCondition(Pod pod) {
        return pod.getStatus() == null
                ? Optional.empty()
                : pod.getStatus().getConditions().stream()
                        .filter(condition -> "Ready".equals(condition.getType()))
                        .findFirst();
    }

    private static Optional<Instant> changed(PodCondition condition) {
        return Optional.ofNullable(condition.getLastTransitionTime()).map(Instant::parse);
    }
}
