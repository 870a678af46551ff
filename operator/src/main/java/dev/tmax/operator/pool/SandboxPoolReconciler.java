package dev.tmax.operator.pool;

import dev.tmax.api.v1alpha1.SandboxPool;
import dev.tmax.api.v1alpha1.SandboxPoolSpec.Demand;
import dev.tmax.api.v1alpha1.SandboxPoolStatus;
import dev.tmax.api.v1alpha1.TrainingRun;
import dev.tmax.api.v1alpha1.TrainingRunStatus;
import dev.tmax.contracts.sandbox.SandboxContract;
import dev.tmax.operator.OperatorSettings;
import dev.tmax.operator.condition.ApiRefusal;
import dev.tmax.operator.condition.StatusWriter;
import dev.tmax.operator.run.children.Credentials;
import dev.tmax.operator.run.step.StatusDraft;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.ErrorStatusUpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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

    private static final Duration WHILE_WARMING = Duration.ofSeconds(5);
    private static final Duration QUIET = Duration.ofSeconds(60);

    private final KubernetesClient client;
    private final OperatorSettings settings;
    private final Clock clock;
    private final SandboxPods pods;
    private final PodLives lives;
    private final StatusWriter<SandboxPool, SandboxPoolStatus> statuses;
    private InformerEventSource<Pod, SandboxPool> podCache;
    private Supplier<Stream<SandboxPool>> cachedPools = Stream::empty;

    public SandboxPoolReconciler(
            KubernetesClient client,
            OperatorSettings settings,
            Clock clock,
            Credentials credentials,
            MeterRegistry registry) {
        this.client = client;
        this.settings = settings;
        this.clock = clock;
        this.pods = new SandboxPods(client, settings, clock, credentials);
        this.lives = new PodLives(registry);
        this.statuses = new StatusWriter<>(client, clock, SandboxPool::new, SandboxPoolStatus::conditions);
    }

    @Override
    public List<EventSource<?, SandboxPool>> prepareEventSources(EventSourceContext<SandboxPool> context) {
        var cache = context.getPrimaryCache();
        cachedPools = () -> cache.list(pool -> true);
        podCache = new InformerEventSource<>(
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
                        // Only the end of a run, and of its trainer, concern its pool.
                        .withOnAddFilter(run -> false)
                        .withOnUpdateFilter(SandboxPoolReconciler::trainerChanged)
                        .withWatchAllNamespaces()
                        .build(),
                context);
        return List.of(podCache, runs);
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
        Optional<TrainingRun> run = run(pool);
        if (run.isEmpty()) {
            LOG.info("deleting pool {}: its run is gone", pool.getMetadata().getName());
            client.resource(pool).delete();
            return UpdateControl.noUpdate();
        }
        Optional<Instant> servedUntil = servedUntil(run.get());
        boolean served = servedUntil.map(clock.instant()::isBefore).orElse(true);
        List<Pod> known = cached(pool);
        lives.observe(pool.getMetadata().getUid(), known);
        lives.retain(pools().map(each -> each.getMetadata().getUid()).collect(Collectors.toSet()));
        PodPlan plan = plan(pool, served, known);
        Optional<SandboxPods.Refusal> refused = Optional.empty();
        int replaced = 0;
        if (!plan.isNothing()) {
            known = pods.list(pool);
            plan = plan(pool, served, known);
            replaced = pods.delete(plan, known);
            refused = pods.create(pool, plan);
        }
        SandboxPoolStatus status = new PoolStatus(pool, clock).of(plan, served, known, refused, replaced);
        Duration usual = refused.isPresent() ? settings.quotaPause() : plan.isNothing() ? QUIET : WHILE_WARMING;
        return statuses.write(pool, status, context, earliest(usual, plan.wake(), servedUntil));
    }

    /** What the API server refused, for people; the visit is repeated in any case. */
    @Override
    public ErrorStatusUpdateControl<SandboxPool> updateErrorStatus(
            SandboxPool pool, Context<SandboxPool> context, Exception failure) {
        ApiRefusal.message(failure)
                .ifPresent(message -> statuses.write(pool, new PoolStatus(pool, clock).refused(message), context));
        return ErrorStatusUpdateControl.noStatusUpdate();
    }

    private Duration earliest(Duration usual, Optional<Instant> wake, Optional<Instant> servedUntil) {
        Instant now = clock.instant();
        return Stream.of(wake, servedUntil)
                .flatMap(Optional::stream)
                .filter(now::isBefore)
                // A moment later, so that the time is over by then.
                .map(time -> Duration.between(now, time).plusMillis(100))
                .filter(left -> left.compareTo(usual) < 0)
                .min(Duration::compareTo)
                .orElse(usual);
    }

    /** Asked of the API server itself: a cache that lags must not cost a run its sandboxes. */
    private Optional<TrainingRun> run(SandboxPool pool) {
        return Optional.ofNullable(client.resources(TrainingRun.class)
                        .inNamespace(pool.getSpec().runRef().namespace())
                        .withName(pool.getSpec().runRef().name())
                        .get())
                .filter(run -> run.getMetadata()
                        .getUid()
                        .equals(pool.getSpec().runRef().uid()));
    }

    private List<Pod> cached(SandboxPool pool) {
        return podCache.list(
                        pool.getMetadata().getNamespace(),
                        pod -> pool.getMetadata()
                                .getName()
                                .equals(pod.getMetadata().getLabels().get(SandboxContract.POOL_LABEL)))
                .toList();
    }

    private static boolean worksFor(SandboxPool pool, TrainingRun run) {
        return pool.getSpec().runRef().namespace().equals(run.getMetadata().getNamespace())
                && pool.getSpec().runRef().name().equals(run.getMetadata().getName());
    }

    private PodPlan plan(SandboxPool pool, boolean served, List<Pod> known) {
        List<Demand> demand = pool.getSpec().demand();
        return PodPlan.of(
                new PodPlan.Wish(
                        pool.getMetadata().getName(),
                        pool.getSpec().maxPods(),
                        pool.getSpec().attemptsPerPod(),
                        demand == null || !served ? List.of() : demand,
                        PoolStatus.setbacks(pool),
                        clock.instant()),
                known.stream().map(PodReading::view).flatMap(Optional::stream).toList());
    }

    /**
     * How long there is a trainer to use the pods; empty while it runs. One that has not run for as long as its leases last
     * has lost them: its pods end, and new ones would only wait for it.
     */
    private static Optional<Instant> servedUntil(TrainingRun run) {
        return trainerReady(run)
                .filter(condition -> "False".equals(condition.getStatus()))
                .filter(condition -> !StatusDraft.LOADING.equals(condition.getReason()))
                .map(Condition::getLastTransitionTime)
                .map(since -> Instant.parse(since).plus(SandboxContract.LEASE));
    }

    private static Optional<Condition> trainerReady(TrainingRun run) {
        return Optional.ofNullable(run.getStatus())
                .map(TrainingRunStatus::conditions)
                .flatMap(conditions -> conditions.stream()
                        .filter(condition -> StatusDraft.TRAINER_READY.equals(condition.getType()))
                        .findFirst());
    }

    private static boolean trainerChanged(TrainingRun next, TrainingRun before) {
        return !trainerReady(next).equals(trainerReady(before));
    }
}
