package dev.tmax.operator.pod;

import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;
import java.util.Set;

/**
 * Why a pod does not get on, in Kubernetes' own words.
 *
 * @param reason one word, fit for a condition
 * @param message names the pod and what is missing
 */
public record PodProblem(String reason, String message) {

    private static final Set<String> IMAGE_REASONS = Set.of(
            "ErrImagePull",
            "ImagePullBackOff",
            "InvalidImageName",
            "ErrImageNeverPull",
            "RegistryUnavailable",
            "CreateContainerError",
            "CreateContainerConfigError",
            "RunContainerError");
    private static final Set<String> ORDINARY = Set.of("ContainerCreating", "PodInitializing");

    /** Empty for a pod that is on its way or runs. */
    public static Optional<PodProblem> of(Pod pod) {
        if (pod.getStatus() == null) {
            return Optional.empty();
        }
        String name = pod.getMetadata().getName();
        Optional<PodProblem> unschedulable = pod.getStatus().getConditions().stream()
                .filter(condition -> "PodScheduled".equals(condition.getType())
                        && "False".equals(condition.getStatus())
                        && "Unschedulable".equals(condition.getReason()))
                .findFirst()
                .map(condition -> new PodProblem("Unschedulable", "pod " + name + ": " + condition.getMessage()));
        return unschedulable.or(() -> pod.getStatus().getContainerStatuses().stream()
                .map(status -> ofContainer(name, status))
                .flatMap(Optional::stream)
                .findFirst());
    }

    /** Whether the image is what keeps the pod from starting: it cannot be had, or no container be made of it. */
    public boolean concernsImage() {
        return IMAGE_REASONS.contains(reason);
    }

    private static Optional<PodProblem> ofContainer(String pod, ContainerStatus status) {
        if (status.getState() == null || status.getState().getWaiting() == null) {
            return Optional.empty();
        }
        ContainerStateWaiting waiting = status.getState().getWaiting();
        if (waiting.getReason() == null || ORDINARY.contains(waiting.getReason())) {
            return Optional.empty();
        }
        String detail = waiting.getMessage() == null ? "image " + status.getImage() : waiting.getMessage();
        return Optional.of(
                new PodProblem(waiting.getReason(), "pod " + pod + ": " + waiting.getReason() + ": " + detail));
    }
}
