package dev.tmax.operator.pool;

import dev.tmax.api.v1alpha1.SandboxPool;
import dev.tmax.api.v1alpha1.SandboxPoolSpec.Demand;
import dev.tmax.api.v1alpha1.SandboxPoolStatus;
import dev.tmax.api.v1alpha1.TrainingRun;
import dev.tmax.contracts.sandbox.SandboxContract;
import dev.tmax.operator.OperatorSettings;
import dev.tmax.operator.condition.ConditionEvents;
import dev.tmax.operator.run.children.Credentials;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.PrimaryUpdateAndCacheUtils;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the pods of a pool follow its demand. The cache only says that there may be something to do: what is done is planned
 * from a list of the API server, so that no cache, however old, makes a pod too many.
 */
@ControllerConfiguration(name = "sandboxpool")
public final class SandboxPoolReconciler implements Reconciler<SandboxPool> {

    private static final Logger LOG = LoggerFactory.getLogger(SandboxPoolReconciler.class);

    /** Pods made in one pass, and pods of a pool that may be on their way at one time. */
    private static final int MOST_IN_FLIGHT = 32;

    private static final Duration WHILE_WARMING = Duration.ofSeconds(5);
    private static final Duration QUIET = Duration.ofSeconds(60);
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int UNPROCESSABLE = 422;

    private final KubernetesClient client;
    private final OperatorSettings settings;
    private final Clock clock;
    private final Credentials credentials;
    private final ConditionEvents events;
    private final Map<String, Refusal> refusalByPool = new ConcurrentHashMap<>();
    private InformerEventSource<Pod, SandboxPool> pods;
    private Supplier<Stream<SandboxPool>> cachedPools = Stream::empty;

    /** The API server took no more pods. */
    private record Refusal(String why, Instant until) {}

    public SandboxPoolReconciler(
            KubernetesClient client, OperatorSettings settings, Clock clock, Credentials credentials) {
        this.client = client;
        this.settings = settings;
        this.clock = clock;
        this.credentials = credentials;
        this.events = new ConditionEvents(client, clock);
    }

    @Override
    public List<EventSource<?, SandboxPool>> prepareEventSources(EventSourceContext<SandboxPool> context) {
        var cache = context.getPrimaryCache();
        cachedPools = () -> cache.list(pool -> true);
        pods = new InformerEventSource<>(
                InformerEventSourceConfiguration.from(Pod.class, SandboxPool.class)
                        .withName("sandboxpool-Pod")
                        .withLabelSelector(SandboxContract.POOL_LABEL)
                        .withSecondaryToPrimaryMapper(pod -> Set.of(new ResourceID(
                                pod.getMetadata().getLabels().get(SandboxContract.POOL_LABEL),
                                pod.getMetadata().getNamespace())))
                        .withNamespaces(Set.of(settings.sandboxNamespace()))
                        .build(),
                context);
        InformerEventSource<TrainingRun, SandboxPool> runs = new InformerEventSource<>(
                InformerEventSourceConfiguration.from(TrainingRun.class, SandboxPool.class)
                        .withName("sandboxpool-TrainingRun")
                        .withSecondaryToPrimaryMapper(run -> cache.list(pool -> worksFor(pool, run))
                                .map(ResourceID::fromResource)
                                .collect(Collectors.toSet()))
                        // Only the end of a run concerns its pool.
                        .withOnAddFilter(run -> false)
                        .withOnUpdateFilter((next, before) -> false)
                        .withWatchAllNamespaces()
                        .build(),
                context);
        return List.of(pods, runs);
    }

    /** Pools as the cache knows them. */
    public Stream<SandboxPool> pools() {
        return cachedPools.get();
    }

    @Override
    public UpdateControl<SandboxPool> reconcile(SandboxPool pool, Context<SandboxPool> context) {
        if (pool.getMetadata().getDeletionTimestamp() != null) {
            return UpdateControl.noUpdate();
        }
        if (runIsGone(pool)) {
            LOG.info("deleting pool {}: its run is gone", pool.getMetadata().getName());
            client.resource(pool).delete();
            return UpdateControl.noUpdate();
        }
        List<Pod> known = pods.list(
                        pool.getMetadata().getNamespace(),
                        pod -> pool.getMetadata()
                                .getName()
                                .equals(pod.getMetadata().getLabels().get(SandboxContract.POOL_LABEL)))
                .toList();
        PodPlan plan = plan(pool, known);
        Optional<String> refused = Optional.empty();
        int replaced = 0;
        if (!plan.isNothing()) {
            known = list(pool);
            plan = plan(pool, known);
            replaced = delete(pool, plan, known);
            refused = create(pool, plan, known);
        } else {
            refusalByPool.remove(pool.getMetadata().getUid());
        }
        SandboxPoolStatus status = PoolStatus.of(pool, plan, known, refused, replaced, clock);
        Duration recheck = refused.isPresent() ? settings.quotaPause() : plan.isNothing() ? QUIET : WHILE_WARMING;
        if (Objects.equals(status, pool.getStatus())) {
            return UpdateControl.<SandboxPool>noUpdate().rescheduleAfter(recheck);
        }
        events.emit(pool, pool.getStatus() == null ? null : pool.getStatus().conditions(), status.conditions());
        SandboxPool patch = new SandboxPool();
        patch.getMetadata().setName(pool.getMetadata().getName());
        patch.getMetadata().setNamespace(pool.getMetadata().getNamespace());
        patch.setStatus(status);
        // Cached, so that the next visit starts from what this one wrote: an end must never be unseen.
        PrimaryUpdateAndCacheUtils.ssaPatchStatusAndCacheResource(pool, patch, context);
        return UpdateControl.<SandboxPool>noUpdate().rescheduleAfter(recheck);
    }

    /** Asked of the API server itself: a cache that lags must not cost a run its sandboxes. */
    private boolean runIsGone(SandboxPool pool) {
        TrainingRun run = client.resources(TrainingRun.class)
                .inNamespace(pool.getSpec().runRef().namespace())
                .withName(pool.getSpec().runRef().name())
                .get();
        return run == null
                || !run.getMetadata().getUid().equals(pool.getSpec().runRef().uid());
    }

    private static boolean worksFor(SandboxPool pool, TrainingRun run) {
        return pool.getSpec().runRef().namespace().equals(run.getMetadata().getNamespace())
                && pool.getSpec().runRef().name().equals(run.getMetadata().getName());
    }

    private List<Pod> list(SandboxPool pool) {
        return client.pods()
                .inNamespace(pool.getMetadata().getNamespace())
                .withLabel(SandboxContract.POOL_LABEL, pool.getMetadata().getName())
                .list()
                .getItems();
    }

    private static PodPlan plan(SandboxPool pool, List<Pod> pods) {
        return PodPlan.of(
                pool.getMetadata().getName(),
                pool.getSpec(),
                pods.stream().map(SandboxPod::view).flatMap(Optional::stream).toList());
    }

    /** @return how many of the deleted pods had ended and are replaced */
    private int delete(SandboxPool pool, PodPlan plan, List<Pod> known) {
        int replaced = 0;
        for (Pod pod : known) {
            if (plan.delete().contains(pod.getMetadata().getName())) {
                boolean ended = SandboxPod.view(pod).map(PodPlan.PodView::ended).orElse(false);
                LOG.info(
                        "pool {}: deleting pod {} ({})",
                        pool.getMetadata().getName(),
                        pod.getMetadata().getName(),
                        ended ? "ended" : "no longer wanted");
                client.resource(pod).delete();
                replaced += ended ? 1 : 0;
            }
        }
        return replaced;
    }

    /** @return why the API server took no more; empty where it took all that was tried */
    private Optional<String> create(SandboxPool pool, PodPlan plan, List<Pod> known) {
        Refusal last = refusalByPool.get(pool.getMetadata().getUid());
        if (last != null
                && last.until().isAfter(clock.instant())
                && !plan.create().isEmpty()) {
            return Optional.of(last.why());
        }
        long warming = known.stream()
                .filter(pod -> pod.getStatus() == null
                        || "Pending".equals(pod.getStatus().getPhase()))
                .count();
        List<PodPlan.PodName> now = plan.create().stream()
                .limit(Math.max(0, MOST_IN_FLIGHT - warming))
                .toList();
        if (now.isEmpty()) {
            return Optional.empty();
        }
        Optional<Credentials.Values> values = credentials.read(
                pool.getSpec().runRef().namespace(), pool.getSpec().runRef().name());
        if (values.isEmpty()) {
            return Optional.empty();
        }
        Map<String, Demand> demand =
                pool.getSpec().demand().stream().collect(Collectors.toMap(Demand::name, entry -> entry));
        for (PodPlan.PodName name : now) {
            Pod pod = SandboxPod.render(
                    pool,
                    name,
                    demand.get(name.entry()),
                    values.get().sandboxKey(),
                    settings.images().envRunner());
            Optional<String> refusal = create(pod);
            if (refusal.isPresent()) {
                refusalByPool.put(
                        pool.getMetadata().getUid(),
                        new Refusal(refusal.get(), clock.instant().plus(settings.quotaPause())));
                return refusal;
            }
        }
        refusalByPool.remove(pool.getMetadata().getUid());
        return Optional.empty();
    }

    private Optional<String> create(Pod pod) {
        try {
            client.resource(pod).create();
            LOG.info(
                    "pod {} made for {}",
                    pod.getMetadata().getName(),
                    pod.getSpec().getContainers().getFirst().getImage());
            return Optional.empty();
        } catch (KubernetesClientException e) {
            return switch (e.getCode()) {
                // The name says which pod it is: somebody has made exactly this one.
                case HttpURLConnection.HTTP_CONFLICT -> Optional.empty();
                case HttpURLConnection.HTTP_FORBIDDEN, TOO_MANY_REQUESTS, UNPROCESSABLE ->
                    Optional.of(
                            e.getStatus() == null
                                    ? e.getMessage()
                                    : e.getStatus().getMessage());
                default -> throw e;
            };
        }
    }
}
