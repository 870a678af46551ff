package dev.tmax.e2e.cluster;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** A test with a namespace of its own on the cluster that {@code KUBECONFIG} names, with the operator installed. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ClusterTest {

    static final Duration GONE_WITHIN = Duration.ofSeconds(60);

    private final KubernetesClient client = new KubernetesClientBuilder().build();
    private final String namespaceName;
    private TestNamespace namespace;

    ClusterTest(String namespaceName) {
        this.namespaceName = namespaceName;
    }

    @BeforeAll
    void makeNamespace() {
        namespace = new TestNamespace(client, namespaceName);
    }

    @AfterAll
    void removeNamespace() {
        namespace.close();
        client.close();
    }

    KubernetesClient client() {
        return client;
    }

    TestNamespace namespace() {
        return namespace;
    }

    void awaitNoSandboxPods() {
        Await.until("no sandbox pod is left", GONE_WITHIN, namespace()::sandboxPods, List::isEmpty);
    }

    static Map<String, String> uidsByName(List<Pod> pods) {
        return pods.stream()
                .collect(Collectors.toMap(
                        pod -> pod.getMetadata().getName(),
                        pod -> pod.getMetadata().getUid()));
    }
}
