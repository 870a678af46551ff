package dev.tmax.e2e.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** A namespace of one test, and the manifests of {@code src/test/resources} applied to it as a user would. */
final class TestNamespace implements AutoCloseable {

    static final String SANDBOX_NAMESPACE = "tmax-sandboxes";
    static final String API = "tmax.dev/v1alpha1";

    private final KubernetesClient client;
    private final String name;

    TestNamespace(KubernetesClient client, String name) {
        this.client = client;
        this.name = name;
        remove();
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
    }

    String name() {
        return name;
    }

    KubernetesClient client() {
        return client;
    }

    /** Applies a manifest of the resources, with the given texts replaced; each must occur. */
    void apply(String resource, Map<String, String> replacements) {
        String manifest = read(resource);
        for (Map.Entry<String, String> replacement : replacements.entrySet()) {
            if (!manifest.contains(replacement.getKey())) {
                throw new IllegalArgumentException(resource + " has no '" + replacement.getKey() + "' to replace");
            }
            manifest = manifest.replace(replacement.getKey(), replacement.getValue());
        }
        client.load(new ByteArrayInputStream(manifest.getBytes(StandardCharsets.UTF_8)))
                .inNamespace(name)
                .serverSideApply();
    }

    void apply(String resource) {
        apply(resource, Map.of());
    }

    Observed run(String run) {
        return observe("TrainingRun", run);
    }

    Observed taskSet(String taskSet) {
        return observe("TaskSet", taskSet);
    }

    List<GenericKubernetesResource> checkpoints() {
        return client.genericKubernetesResources(API, "Checkpoint")
                .inNamespace(name)
                .list()
                .getItems();
    }

    private Observed observe(String kind, String object) {
        GenericKubernetesResource found = client.genericKubernetesResources(API, kind)
                .inNamespace(name)
                .withName(object)
                .get();
        if (found == null) {
            throw new IllegalStateException(kind + " " + object + " is not there");
        }
        return new Observed(found);
    }

    /** Merges JSON into the run's spec, as {@code kubectl patch --type merge} does. */
    void patchRun(String run, String specJson) {
        client.genericKubernetesResources(API, "TrainingRun")
                .inNamespace(name)
                .withName(run)
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":" + specJson + "}");
    }

    void deleteRun(String run) {
        client.genericKubernetesResources(API, "TrainingRun")
                .inNamespace(name)
                .withName(run)
                .delete();
    }

    Observed awaitRun(String run, String what, Duration limit, Predicate<Observed> condition) {
        return Await.until(run + " " + what, limit, () -> run(run), seen -> {
            if (seen.is("Failed") && !condition.test(seen)) {
                // Waiting on would only hide why: the run has ended.
                throw new FailedRun(seen);
            }
            return condition.test(seen);
        });
    }

    List<Pod> pods() {
        return client.pods().inNamespace(name).list().getItems();
    }

    Pod pod(String pod) {
        return client.pods().inNamespace(name).withName(pod).get();
    }

    /** Sandbox pods of this namespace's runs, in whatever state. */
    List<Pod> sandboxPods() {
        return client.pods().inNamespace(SANDBOX_NAMESPACE).list().getItems().stream()
                .filter(pod -> pod.getMetadata().getName().startsWith(name + "-"))
                .toList();
    }

    private static String read(String resource) {
        try (InputStream stream = TestNamespace.class.getResourceAsStream("/" + resource)) {
            if (stream == null) {
                throw new IllegalArgumentException("no resource " + resource);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void remove() {
        client.namespaces().withName(name).delete();
        Await.until(
                "namespace " + name + " is gone",
                Duration.ofSeconds(120),
                () -> client.namespaces().withName(name).get(),
                found -> found == null);
    }

    @Override
    public void close() {
        client.namespaces().withName(name).delete();
    }

    /** The run has failed while something else was waited for. Not a failure of waiting, so it ends it. */
    static final class FailedRun extends Error {
        private static final long serialVersionUID = 1L;

        FailedRun(Observed run) {
            super("The run has failed: " + run.conditions() + "\n"
                    + Serialization.asYaml(run.object().get("status")));
        }
    }
}
