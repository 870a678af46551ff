package dev.tmax.e2e.apiserver;

import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Sets the status of pods as a kubelet would. */
final class Kubelet {

    private final KubernetesClient client;
    private long seconds;

    Kubelet(KubernetesClient client) {
        this.client = client;
    }

    void ready(Pod pod) {
        write(pod, running(now()).build());
    }

    /** The container runs but does not answer its readiness probe yet. */
    void loading(Pod pod) {
        write(
                pod,
                running(now())
                        .editMatchingCondition(condition -> "Ready".equals(condition.getType()))
                        .withStatus("False")
                        .endCondition()
                        .build());
    }

    /** The container ended and was started again in the same pod. */
    void crashAndRestart(Pod pod, String reason, int exitCode) {
        Pod current = client.resource(pod).get();
        String startedAt = current.getStatus()
                .getContainerStatuses()
                .getFirst()
                .getState()
                .getRunning()
                .getStartedAt();
        PodStatusBuilder next = running(now());
        next.editFirstContainerStatus()
                .withNewLastState()
                .withNewTerminated()
                .withExitCode(exitCode)
                .withReason(reason)
                .withStartedAt(startedAt)
                .withFinishedAt(now())
                .endTerminated()
                .endLastState()
                .endContainerStatus();
        write(current, next.build());
    }

    /** The node takes the pod away, for reasons of its own; its StatefulSet makes another. */
    void evict(Pod pod) {
        Pod current = client.resource(pod).get();
        String startedAt = current.getStatus()
                .getContainerStatuses()
                .getFirst()
                .getState()
                .getRunning()
                .getStartedAt();
        write(
                current,
                new PodStatusBuilder()
                        .withPhase("Failed")
                        .withReason("Evicted")
                        .withMessage("The node was low on resource: memory.")
                        .withContainerStatuses(new ContainerStatusBuilder()
                                .withName(current.getSpec()
                                        .getContainers()
                                        .getFirst()
                                        .getName())
                                .withImage("image")
                                .withImageID("image")
                                .withReady(false)
                                .withRestartCount(0)
                                .withNewState()
                                .withNewTerminated()
                                .withExitCode(137)
                                .withReason("Error")
                                .withStartedAt(startedAt)
                                .withFinishedAt(now())
                                .endTerminated()
                                .endState()
                                .build())
                        .build());
    }

    void waiting(Pod pod, String reason, String message) {
        write(
                pod,
                new PodStatusBuilder()
                        .withPhase("Pending")
                        .withContainerStatuses(new ContainerStatusBuilder()
                                .withName(
                                        pod.getSpec().getContainers().getFirst().getName())
                                .withImage(
                                        pod.getSpec().getContainers().getFirst().getImage())
                                .withImageID("")
                                .withReady(false)
                                .withRestartCount(0)
                                .withNewState()
                                .withNewWaiting(message, reason)
                                .endState()
                                .build())
                        .build());
    }

    void unschedulable(Pod pod, String message) {
        write(
                pod,
                new PodStatusBuilder()
                        .withPhase("Pending")
                        .withConditions(new PodConditionBuilder()
                                .withType("PodScheduled")
                                .withStatus("False")
                                .withReason("Unschedulable")
                                .withMessage(message)
                                .build())
                        .build());
    }

    /** The pod ended; its container's last words are kept. */
    void ended(Pod pod, String phase, String lastWords) {
        String now = now();
        write(
                pod,
                new PodStatusBuilder()
                        .withPhase(phase)
                        .withContainerStatuses(new ContainerStatusBuilder()
                                .withName(
                                        pod.getSpec().getContainers().getFirst().getName())
                                .withImage("image")
                                .withImageID("image")
                                .withReady(false)
                                .withRestartCount(0)
                                .withNewState()
                                .withNewTerminated()
                                .withExitCode("Succeeded".equals(phase) ? 0 : 1)
                                .withReason("Succeeded".equals(phase) ? "Completed" : "Error")
                                .withMessage(lastWords)
                                .withStartedAt(now)
                                .withFinishedAt(now)
                                .endTerminated()
                                .endState()
                                .build())
                        .build());
    }

    private void write(Pod pod, PodStatus status) {
        client.pods()
                .inNamespace(pod.getMetadata().getNamespace())
                .withName(pod.getMetadata().getName())
                .editStatus(current -> {
                    current.setStatus(status);
                    return current;
                });
    }

    private static PodStatusBuilder running(String startedAt) {
        return new PodStatusBuilder()
                .withPhase("Running")
                .withPodIP("127.0.0.1")
                .withConditions(
                        new PodConditionBuilder()
                                .withType("Ready")
                                .withStatus("True")
                                .build(),
                        new PodConditionBuilder()
                                .withType("ContainersReady")
                                .withStatus("True")
                                .build())
                .withContainerStatuses(new ContainerStatusBuilder()
                        .withName("main")
                        .withImage("image")
                        .withImageID("image")
                        .withReady(true)
                        .withRestartCount(0)
                        .withNewState()
                        .withNewRunning(startedAt)
                        .endState()
                        .build());
    }

    /** Never the same second twice: Kubernetes tells container starts apart by it. */
    private synchronized String now() {
        return Instant.now()
                .plusSeconds(seconds++)
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
    }
}
