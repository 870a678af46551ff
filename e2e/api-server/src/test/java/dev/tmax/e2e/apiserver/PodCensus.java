package dev.tmax.e2e.apiserver;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts the sandbox pods of one pool as the API server tells them, in its order, with a connection of its own. Knows nothing
 * of the operator.
 */
final class PodCensus implements ResourceEventHandler<Pod>, AutoCloseable {

    private final SharedIndexInformer<Pod> informer;
    private final Map<String, Pod> present = new TreeMap<>();
    private final List<String> doubles = new ArrayList<>();
    private int mostAlive;
    private int mostPending;
    private int made;

    PodCensus(KubernetesClient client, String pool) {
        informer = client.pods()
                .inNamespace(Cluster.SANDBOX_NAMESPACE)
                .withLabel("tmax.dev/sandbox-pool", pool)
                .runnableInformer(0)
                .addEventHandler(this);
        informer.start();
    }

    /** Most pods at one time that had not ended, those being deleted included. */
    synchronized int mostAlive() {
        return mostAlive;
    }

    /** Most pods at one time that no kubelet had started. */
    synchronized int mostPending() {
        return mostPending;
    }

    /** Indices of entries that had two live pods at one time, with their names. */
    synchronized List<String> doubles() {
        return List.copyOf(doubles);
    }

    /** Pods that have ever been there. */
    synchronized int made() {
        return made;
    }

    @Override
    public synchronized void onAdd(Pod pod) {
        made++;
        count(pod);
    }

    @Override
    public synchronized void onUpdate(Pod before, Pod pod) {
        count(pod);
    }

    @Override
    public synchronized void onDelete(Pod pod, boolean finalStateUnknown) {
        present.remove(pod.getMetadata().getName());
    }

    private void count(Pod pod) {
        present.put(pod.getMetadata().getName(), pod);
        Map<String, String> nameByIndex = new HashMap<>();
        int alive = 0;
        int pending = 0;
        for (Pod each : present.values()) {
            String phase = each.getStatus() == null ? "" : each.getStatus().getPhase();
            if ("Succeeded".equals(phase) || "Failed".equals(phase)) {
                continue;
            }
            alive++;
            pending += "Pending".equals(phase) ? 1 : 0;
            String index = each.getMetadata().getLabels().get("tmax.dev/sandbox-entry") + "/"
                    + each.getMetadata().getAnnotations().get("tmax.dev/sandbox-index");
            String other = nameByIndex.put(index, each.getMetadata().getName());
            if (other != null) {
                doubles.add(index + ": " + other + " and " + each.getMetadata().getName());
            }
        }
        mostAlive = Math.max(mostAlive, alive);
        mostPending = Math.max(mostPending, pending);
    }

    @Override
    public void close() {
        informer.stop();
    }
}
