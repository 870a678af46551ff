package dev.tmax.trainer.cells;

import dev.tmax.contracts.sandbox.SandboxContract;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * What the trainer needs to know of a sandbox pod.
 *
 * @param address IP; present from the moment that the pod is ready
 * @param retireAt when the pod should host no more attempts, so that its deadline ends none; empty for one without deadline
 */
record PodView(String name, String uid, String image, Optional<String> address, Optional<Instant> retireAt) {

    /** Share of a pod's life in which it takes attempts; the rest is for those that it has. */
    private static final double USABLE = 0.9;

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
                ready(status) ? Optional.ofNullable(status.getPodIP()) : Optional.empty(),
                retireAt(pod)));
    }

    private static Optional<Instant> retireAt(Pod pod) {
        if (pod.getStatus() == null
                || pod.getStatus().getStartTime() == null
                || pod.getSpec() == null
                || pod.getSpec().getActiveDeadlineSeconds() == null) {
            return Optional.empty();
        }
        long usable = (long) (pod.getSpec().getActiveDeadlineSeconds() * USABLE);
        return Optional.of(Instant.parse(pod.getStatus().getStartTime()).plusSeconds(usable));
    }

    private static boolean ready(PodStatus status) {
        return status != null
                && status.getConditions() != null
                && status.getConditions().stream()
                        .anyMatch(condition ->
                                "Ready".equals(condition.getType()) && "True".equals(condition.getStatus()));
    }
}
