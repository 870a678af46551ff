package dev.tmax.e2e.cluster;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;

/** The operator's replicas and which of them leads. */
final class Operators {

    static final String NAMESPACE = "tmax-system";

    private final KubernetesClient client;
    private String formerLeader = "";

    Operators(KubernetesClient client) {
        this.client = client;
    }

    void deleteLeader() {
        formerLeader = leader();
        client.pods()
                .inNamespace(NAMESPACE)
                .withName(formerLeader)
                .withGracePeriod(0)
                .delete();
    }

    void awaitNewLeader() {
        Await.until(
                "another replica than " + formerLeader + " leads",
                Duration.ofSeconds(90),
                this::leader,
                leader -> !leader.isEmpty() && !leader.equals(formerLeader));
    }

    private String leader() {
        return client.leases().inNamespace(NAMESPACE).list().getItems().stream()
                .map(Lease::getSpec)
                .map(spec -> spec.getHolderIdentity() == null ? "" : spec.getHolderIdentity())
                .findFirst()
                .orElse("");
    }
}
