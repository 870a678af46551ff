package dev.tmax.e2e.cluster;

import io.fabric8.kubernetes.api.model.Pod;

/** What pods say of themselves. */
final class Pods {

    private Pods() {}

    static boolean ready(Pod pod) {
        return pod.getStatus().getConditions().stream()
                .anyMatch(condition -> "Ready".equals(condition.getType()) && "True".equals(condition.getStatus()));
    }
}
