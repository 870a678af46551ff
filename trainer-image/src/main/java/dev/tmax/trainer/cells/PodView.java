package dev.tmax.trainer.cells;

import dev.tmax.contracts.sandbox.SandboxContract;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.util.Map;
import java.util.Optional;

/**
 * What the trainer needs to know of a sandbox pod.
 *
 * @param address IP; present from the moment that the pod is ready
 */
record PodView(String name, String uid, String image, Optional<String> address) {

    /** Empty for a pod that is ending or ended, or is no sandbox. */
    static Optional<PodView> of(Pod pod) {
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        String image = annotations == null ? null : annotations.get(SandboxContract.IMAGE_ANNOTATION);
        PodStatus status = pod.getStatus();
        boolean ended = pod.getMetadata().getDeletionTimestamp() != null
                || status != null && ("Succeeded".equals(status.getPhase()) || "Failed".equals(status.getPhase()));
        if (image == null || ended) {
            return Optional.empty();
        }
        return Optional.of(new PodView(
                pod.getMetadata().getName(),
                pod.getMetadata().getUid(),
                image,
                ready(status) ? Optional.ofNullable(status.getPodIP()) : Optional.empty()));
    }

    private static boolean ready(PodStatus status) {
        return status != null
                && status.getConditions() != null
                && status.getConditions().stream()
                        .anyMatch(condition ->
                                "Ready".equals(condition.getType()) && "True".equals(condition.getStatus()));
    }
}
