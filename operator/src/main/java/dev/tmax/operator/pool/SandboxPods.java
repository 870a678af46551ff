package dev.tmax.operator.pool;

import dev.tmax.api.v1alpha1.SandboxPool;
import dev.tmax.api.v1alpha1.SandboxPoolSpec.Demand;
import dev.tmax.contracts.sandbox.SandboxContract;
import dev.tmax.operator.OperatorSettings;
import dev.tmax.operator.condition.ApiRefusal;
import dev.tmax.operator.run.children.Credentials;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lists, makes and deletes the pods of pools at the API server. A pool whose pods are refused is left in peace for a while. */
final class SandboxPods {

    private static final Logger LOG = LoggerFactory.getLogger(SandboxPods.class);
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int UNPROCESSABLE = 422;

    private final KubernetesClient client;
    private final OperatorSettings settings;
    private final Clock clock;
    private final Credentials credentials;
    private final Map<String, Pause> pauseByPool = new ConcurrentHashMap<>();

    /**
     * The API server takes no more pods.
     *
     * @param reason one word, fit for a condition
     * @param message what the API server said
     */
    record Refusal(String reason, String message) {}

    private record Pause(Refusal refusal, Instant until) {}

    SandboxPods(KubernetesClient client, OperatorSettings settings, Clock clock, Credentials credentials) {
        this.client = client;
        this.settings = settings;
        this.clock = clock;
        this.credentials = credentials;
    }

    /** As the API server has them now, not as a cache remembers them. */
    List<Pod> list(SandboxPool pool) {
        return client.pods()
                .inNamespace(pool.getMetadata().getNamespace())
                .withLabel(SandboxContract.POOL_LABEL, pool.getMetadata().getName())
                .list()
                .getItems();
    }

    /** @return how many of the deleted pods are replaced: they had ended, or no longer answered */
    int delete(PodPlan plan, List<Pod> known) {
        int replaced = 0;
        for (Pod pod : known) {
            String reason = plan.delete().get(pod.getMetadata().getName());
            if (reason != null) {
                client.resource(pod).delete();
                LOG.info("sandbox pod {} deleted: {}", pod.getMetadata().getName(), reason);
                replaced += PodReading.view(pod)
                                .filter(view -> !view.alive() || view.life() == PodView.Life.SILENT)
                                .isPresent()
                        ? 1
                        : 0;
            }
        }
        return replaced;
    }

    /** @return why the API server takes no more; empty where it took all that was tried */
    Optional<Refusal> create(SandboxPool pool, PodPlan plan) {
        if (plan.create().isEmpty()) {
            return Optional.empty();
        }
        Instant now = clock.instant();
        pauseByPool.values().removeIf(pause -> !pause.until().isAfter(now));
        Pause pause = pauseByPool.get(pool.getMetadata().getUid());
        if (pause != null) {
            return Optional.of(pause.refusal());
        }
        Optional<Credentials.Values> values = credentials.read(
                pool.getSpec().runRef().namespace(), pool.getSpec().runRef().name());
        if (values.isEmpty()) {
            return Optional.empty();
        }
        Map<String, Demand> demand =
                pool.getSpec().demand().stream().collect(Collectors.toMap(Demand::name, entry -> entry));
        for (PodView.PodName name : plan.create()) {
            Optional<Refusal> refusal = create(SandboxPod.render(
                    pool,
                    name,
                    demand.get(name.entry()),
                    values.get().sandboxKey(),
                    settings.images().envRunner()));
            if (refusal.isPresent()) {
                pauseByPool.put(pool.getMetadata().getUid(), new Pause(refusal.get(), now.plus(settings.quotaPause())));
                return refusal;
            }
        }
        return Optional.empty();
    }

    private Optional<Refusal> create(Pod pod) {
        try {
            client.resource(pod).create();
            LOG.info(
                    "sandbox pod {} made for image {}",
                    pod.getMetadata().getName(),
                    pod.getSpec().getContainers().getFirst().getImage());
            return Optional.empty();
        } catch (KubernetesClientException e) {
            String words = ApiRefusal.words(e);
            return switch (e.getCode()) {
                // Somebody has made exactly this one, perhaps this very call before its answer was lost; or a quota was
                // counted by two at once. What is really there is found at the next look.
                case HttpURLConnection.HTTP_CONFLICT -> Optional.empty();
                case HttpURLConnection.HTTP_FORBIDDEN ->
                    Optional.of(new Refusal(words.contains("exceeded quota") ? "QuotaExceeded" : "Forbidden", words));
                case TOO_MANY_REQUESTS -> Optional.of(new Refusal("TooManyRequests", words));
                case UNPROCESSABLE -> Optional.of(new Refusal("InvalidPod", words));
                default -> throw e;
            };
        }
    }
}
