package dev.tmax.operator.orphan;

import dev.tmax.api.v1alpha1.Checkpoint;
import dev.tmax.api.v1alpha1.DeletionPolicy;
import dev.tmax.api.v1alpha1.SandboxPool;
import dev.tmax.api.v1alpha1.TrainingRun;
import dev.tmax.contracts.sandbox.SandboxContract;
import dev.tmax.operator.Labels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes what no owner reference can, or not soon enough: SandboxPools, which live in another namespace than their run, the
 * pods of pools that are gone, and the Checkpoints and claims that go with their run unless a person retained them. No finalizer holds a run back for it, so a run can always be
 * deleted; whatever happened while the operator was away is found at the next look.
 */
public final class Orphans {

    private static final Logger LOG = LoggerFactory.getLogger(Orphans.class);

    private static final Duration LEAKED_AFTER = Duration.ofSeconds(60);

    private final KubernetesClient client;
    private final String sandboxNamespace;
    private final Clock clock;
    private final Map<String, Instant> orphanedPods = new HashMap<>();
    private final AtomicInteger leaked = new AtomicInteger();

    public Orphans(KubernetesClient client, String sandboxNamespace, Clock clock, MeterRegistry registry) {
        this.client = client;
        this.sandboxNamespace = sandboxNamespace;
        this.clock = clock;
        Gauge.builder("tmax.sandbox.pods.leaked", leaked, AtomicInteger::get)
                .description("Sandbox pods whose pool has been gone for more than a minute")
                .register(registry);
    }

    /** One look at everything. A failure ends this look only. */
    public void sweep() {
        try {
            Look look = new Look();
            pools(look);
            pods();
            List<Checkpoint> checkpoints =
                    client.resources(Checkpoint.class).inAnyNamespace().list().getItems();
            checkpoints.stream()
                    .filter(checkpoint -> checkpoint.getSpec().deletionPolicy() == DeletionPolicy.DELETE)
                    .filter(checkpoint -> look.isGone(
                            checkpoint, checkpoint.getSpec().runRef().name()))
                    .forEach(this::delete);
            claims(look, checkpoints);
        } catch (KubernetesClientException e) {
            LOG.warn("orphans could not be looked for: {}", e.getMessage());
        }
    }

    private void pools(Look look) {
        client.resources(SandboxPool.class).inNamespace(sandboxNamespace).list().getItems().stream()
                .filter(pool -> look.isGone(
                        pool.getSpec().runRef().namespace(),
                        pool.getSpec().runRef().name(),
                        pool.getSpec().runRef().uid()))
                .forEach(this::delete);
    }

    /** Deleted explicitly: the garbage collector may be minutes behind, and each of these holds memory of a node. */
    private void pods() {
        // In this order: a pool that is not there after its pod was, is gone.
        List<Pod> pods = client.pods()
                .inNamespace(sandboxNamespace)
                .withLabel(SandboxContract.POOL_LABEL)
                .list()
                .getItems();
        Set<String> pools = client.resources(SandboxPool.class).inNamespace(sandboxNamespace).list().getItems().stream()
                .map(pool -> pool.getMetadata().getUid())
                .collect(Collectors.toSet());
        Map<String, Instant> orphaned = new HashMap<>();
        for (Pod pod : pods) {
            boolean kept =
                    pod.getMetadata().getOwnerReferences().stream().anyMatch(owner -> pools.contains(owner.getUid()));
            if (!kept) {
                String uid = pod.getMetadata().getUid();
                orphaned.put(uid, orphanedPods.getOrDefault(uid, clock.instant()));
                delete(pod);
            }
        }
        orphanedPods.clear();
        orphanedPods.putAll(orphaned);
        Instant late = clock.instant().minus(LEAKED_AFTER);
        leaked.set((int) orphaned.values().stream().filter(late::isAfter).count());
    }

    private void claims(Look look, List<Checkpoint> checkpoints) {
        List<PersistentVolumeClaim> claims = client.persistentVolumeClaims()
                .inAnyNamespace()
                .withLabel(Labels.MANAGED_BY, Labels.FIELD_MANAGER)
                .withLabel(Labels.RUN_UID)
                .list()
                .getItems();
        for (PersistentVolumeClaim claim : claims) {
            Map<String, String> labels = claim.getMetadata().getLabels();
            if (look.isGone(claim.getMetadata().getNamespace(), labels.get(Labels.RUN), labels.get(Labels.RUN_UID))
                    && checkpoints.stream().noneMatch(checkpoint -> retains(checkpoint, claim))) {
                delete(claim);
            }
        }
    }

    private static boolean retains(Checkpoint checkpoint, PersistentVolumeClaim claim) {
        return checkpoint.getSpec().deletionPolicy() == DeletionPolicy.RETAIN
                && checkpoint
                        .getMetadata()
                        .getNamespace()
                        .equals(claim.getMetadata().getNamespace())
                && checkpoint.getStatus() != null
                && checkpoint.getStatus().location() != null
                && claim.getMetadata()
                        .getName()
                        .equals(checkpoint.getStatus().location().claimName());
    }

    private void delete(HasMetadata orphan) {
        if (orphan.getMetadata().getDeletionTimestamp() == null) {
            LOG.info(
                    "deleting {} {}/{}: what it was made for is gone",
                    orphan.getKind(),
                    orphan.getMetadata().getNamespace(),
                    orphan.getMetadata().getName());
            client.resource(orphan).delete();
        }
    }

    /** The runs as the API server has them during one look; each is asked for once, and after what might be orphaned. */
    private final class Look {

        private final Map<String, Map<String, String>> uidByNameByNamespace = new HashMap<>();

        boolean isGone(String namespace, String name, String uid) {
            return !uid.equals(runs(namespace).get(name));
        }

        /** By the run's uid where the operator wrote it down. One that a person made goes only once it is complete. */
        boolean isGone(Checkpoint checkpoint, String name) {
            String namespace = checkpoint.getMetadata().getNamespace();
            Map<String, String> labels = checkpoint.getMetadata().getLabels();
            String uid = labels == null ? null : labels.get(Labels.RUN_UID);
            if (uid != null) {
                return isGone(namespace, name, uid);
            }
            boolean complete = checkpoint.getStatus() != null
                    && Boolean.TRUE.equals(checkpoint.getStatus().complete());
            return complete && !runs(namespace).containsKey(name);
        }

        private Map<String, String> runs(String namespace) {
            return uidByNameByNamespace.computeIfAbsent(
                    namespace,
                    key -> client.resources(TrainingRun.class).inNamespace(key).list().getItems().stream()
                            .collect(Collectors.toMap(
                                    run -> run.getMetadata().getName(),
                                    run -> run.getMetadata().getUid())));
        }
    }
}
