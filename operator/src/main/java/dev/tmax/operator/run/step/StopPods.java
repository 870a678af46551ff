package dev.tmax.operator.run.step;

import dev.tmax.api.v1alpha1.SandboxPool;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Optional;

/**
 * Gives pods back: StatefulSets go to zero, so that their controller deletes the pods at once and in its own way, and the
 * SandboxPool goes, whose pods its reconciler deletes.
 */
final class StopPods {

    private final KubernetesClient client;

    StopPods(KubernetesClient client) {
        this.client = client;
    }

    /** @return whether no pod of trainer and generators is left */
    boolean stop(Visit visit) {
        visit.seen().trainer().ifPresent(this::toZero);
        visit.seen().generators().ifPresent(this::toZero);
        deletePool(visit.seen().pool());
        return !visit.seen().anyPod();
    }

    void deleteStatefulSets(Visit visit) {
        visit.seen().trainer().ifPresent(set -> client.resource(set).delete());
        visit.seen().generators().ifPresent(set -> client.resource(set).delete());
    }

    private void toZero(StatefulSet set) {
        if (set.getSpec().getReplicas() == null || set.getSpec().getReplicas() != 0) {
            scale(client, set, 0);
        }
    }

    static void scale(KubernetesClient client, StatefulSet set, int replicas) {
        client.apps()
                .statefulSets()
                .inNamespace(set.getMetadata().getNamespace())
                .withName(set.getMetadata().getName())
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"replicas\":" + replicas + "}}");
    }

    private void deletePool(Optional<SandboxPool> pool) {
        pool.filter(found -> found.getMetadata().getDeletionTimestamp() == null)
                .ifPresent(found -> client.resource(found).delete());
    }
}
