package dev.tmax.trainer.cells;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes {@code spec.demand} of the run's SandboxPool by server-side apply, under a field manager of its own. Only the
 * newest demand counts: what changes while a write is under way is written next, and an equal demand is not written.
 */
final class DemandWriter implements AutoCloseable {

    static final String FIELD_MANAGER = "tmax-trainer";

    private static final Logger LOG = LoggerFactory.getLogger(DemandWriter.class);
    private static final String API_VERSION = "tmax.dev/v1alpha1";
    private static final String KIND = "SandboxPool";
    /** Spelled out, so that no discovery stands between a step and its sandboxes. */
    private static final ResourceDefinitionContext POOLS = new ResourceDefinitionContext.Builder()
            .withGroup("tmax.dev")
            .withVersion("v1alpha1")
            .withKind(KIND)
            .withPlural("sandboxpools")
            .withNamespaced(true)
            .build();

    private static final int RETRY_SECONDS = 5;

    private final KubernetesClient client;
    private final String namespace;
    private final String pool;
    private final ScheduledExecutorService writer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("demand").daemon().factory());
    private List<Cells.Demand> wanted = List.of();
    private List<Cells.Demand> written;
    private boolean retrying;

    DemandWriter(KubernetesClient client, String namespace, String pool) {
        this.client = client;
        this.namespace = namespace;
        this.pool = pool;
    }

    synchronized void want(List<Cells.Demand> demand) {
        List<Cells.Demand> sorted = demand.stream()
                .sorted(Comparator.comparingInt(Cells.Demand::step).thenComparing(Cells.Demand::image))
                .toList();
        if (!sorted.equals(wanted) && !writer.isShutdown()) {
            wanted = sorted;
            writer.execute(this::write);
        }
    }

    /** Wants nothing any more, also of what an earlier process wanted. */
    synchronized void clear() {
        wanted = List.of();
        writer.execute(this::write);
    }

    private void write() {
        List<Cells.Demand> demand;
        synchronized (this) {
            demand = wanted;
            if (Objects.equals(demand, written)) {
                return;
            }
        }
        try {
            client.genericKubernetesResources(POOLS)
                    .inNamespace(namespace)
                    .resource(resource(demand))
                    .patch(new PatchContext.Builder()
                            .withPatchType(PatchType.SERVER_SIDE_APPLY)
                            .withFieldManager(FIELD_MANAGER)
                            .withForce(true)
                            .build());
            synchronized (this) {
                written = demand;
            }
            LOG.debug("demand of {}: {}", pool, demand);
        } catch (KubernetesClientException e) {
            LOG.warn(
                    "demand of SandboxPool {}/{} not written, again in {} s: {}",
                    namespace,
                    pool,
                    RETRY_SECONDS,
                    e.getMessage());
            writeLater();
        }
    }

    /** One more try is under way at most, however often the demand changes meanwhile. */
    private synchronized void writeLater() {
        if (!retrying && !writer.isShutdown()) {
            retrying = true;
            writer.schedule(
                    () -> {
                        synchronized (this) {
                            retrying = false;
                        }
                        write();
                    },
                    RETRY_SECONDS,
                    TimeUnit.SECONDS);
        }
    }

    private GenericKubernetesResource resource(List<Cells.Demand> demand) {
        GenericKubernetesResource resource = new GenericKubernetesResource();
        resource.setApiVersion(API_VERSION);
        resource.setKind(KIND);
        resource.setMetadata(
                new ObjectMetaBuilder().withNamespace(namespace).withName(pool).build());
        List<Map<String, Object>> entries = demand.stream()
                .map(entry -> Map.<String, Object>of(
                        "name", entryName(entry.image()),
                        "image", entry.image(),
                        "attempts", entry.attempts(),
                        "step", entry.step()))
                .toList();
        resource.setAdditionalProperty("spec", Map.of("demand", entries));
        return resource;
    }

    /** The same for the same image, in every step: pods of an entry live on while the image is wanted. */
    static String entryName(String image) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(image.getBytes(StandardCharsets.UTF_8));
            return "i" + HexFormat.of().formatHex(digest, 0, 5);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Writes what is wanted last, waiting for it for a short time only. */
    @Override
    public void close() {
        writer.shutdown();
        try {
            if (!writer.awaitTermination(10, TimeUnit.SECONDS)) {
                writer.shutdownNow();
            }
        } catch (InterruptedException e) {
            writer.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
