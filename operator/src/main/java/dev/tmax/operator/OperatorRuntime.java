package dev.tmax.operator;

import dev.tmax.operator.apply.Applier;
import dev.tmax.operator.checkpoint.CheckpointReconciler;
import dev.tmax.operator.metrics.ObjectGauges;
import dev.tmax.operator.orphan.Orphans;
import dev.tmax.operator.pool.SandboxPoolReconciler;
import dev.tmax.operator.run.TrainingRunReconciler;
import dev.tmax.operator.run.children.Credentials;
import dev.tmax.operator.taskset.TaskSetReconciler;
import dev.tmax.operator.trainer.TrainerAddress;
import dev.tmax.operator.trainer.Trainers;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfigurationBuilder;
import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.monitoring.micrometer.MicrometerMetrics;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The whole operator but for its web server: reconcilers, leader election, and what runs by the clock. */
public final class OperatorRuntime implements AutoCloseable {

    public static final String LEASE = "tmax-operator";

    private static final Logger LOG = LoggerFactory.getLogger(OperatorRuntime.class);
    private static final Duration GAUGES = Duration.ofSeconds(5);
    private static final Duration LEASE_DURATION = Duration.ofSeconds(15);
    private static final Duration RENEW_DEADLINE = Duration.ofSeconds(10);
    private static final Duration RETRY_PERIOD = Duration.ofSeconds(2);
    private static final Duration MOST_SILENCE = Duration.ofMinutes(5);
    private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
    private static final int THREADS = 16;

    private final KubernetesClient client;
    private final OperatorSettings settings;
    private final Trainers trainers;
    private final TrainingRunReconciler runs;
    private final ObjectGauges gauges;
    private final Orphans orphans;
    private final Operator operator;
    private final Runnable onLost;
    private final AtomicBoolean leading = new AtomicBoolean();
    private final AtomicBoolean started = new AtomicBoolean();
    private final ScheduledExecutorService clockwork = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("clockwork").factory());

    /**
     * @param client is not closed by this
     * @param onLost called when another replica has become leader; the process must end then
     */
    public OperatorRuntime(
            KubernetesClient client,
            OperatorSettings settings,
            Clock clock,
            TrainerAddress trainerAddress,
            MeterRegistry registry,
            Runnable onLost) {
        this.client = client;
        this.settings = settings;
        this.onLost = onLost;
        this.trainers = new Trainers(trainerAddress, clock);
        Applier applier = new Applier(client, clock);
        Credentials credentials = new Credentials(client, clock);
        this.runs = new TrainingRunReconciler(client, settings, clock, trainers, applier, credentials);
        SandboxPoolReconciler pools = new SandboxPoolReconciler(client, settings, clock, credentials, registry);
        this.gauges = new ObjectGauges(registry, runs::runs, pools::pools);
        this.orphans = new Orphans(client, settings.sandboxNamespace(), clock, registry);
        this.operator = operator(registry);
        register(runs);
        register(pools);
        register(new TaskSetReconciler(client, settings.images().indexer(), clock, applier));
        register(new CheckpointReconciler(client, settings.sandboxNamespace(), clock, trainers, credentials));
    }

    /** Returns once the caches are filled; the work begins when this replica is leader. */
    public void start() {
        operator.start();
        started.set(true);
    }

    /** Whether the caches are filled and the informers run. */
    public boolean isReady() {
        return started.get() && operator.getRuntimeInfo().allEventSourcesAreHealthy();
    }

    public boolean isLeading() {
        return leading.get();
    }

    private Operator operator(MeterRegistry registry) {
        Metrics metrics = MicrometerMetrics.withoutPerResourceMetrics(registry);
        return new Operator(overrider -> overrider
                .withKubernetesClient(client)
                .withCloseClientOnStop(false)
                .checkingCRDAndValidateLocalModel(false)
                // Numbers since Kubernetes 1.35: what was written last is told from what a watch still brings.
                .withParseResourceVersions(true)
                .withMetrics(metrics)
                .withConcurrentReconciliationThreads(THREADS)
                .withReconciliationTerminationTimeout(Duration.ofSeconds(5))
                .withLeaderElectionConfiguration(LeaderElectionConfigurationBuilder.aLeaderElectionConfiguration(LEASE)
                        .withLeaseNamespace(settings.namespace())
                        .withIdentity(settings.identity())
                        .withLeaseDuration(LEASE_DURATION)
                        .withRenewDeadline(RENEW_DEADLINE)
                        .withRetryPeriod(RETRY_PERIOD)
                        .withExitOnStopLeading(false)
                        .withLeaderCallbacks(new LeaderCallbacks(
                                this::startLeading, this::stopLeading, leader -> LOG.info("leader is {}", leader)))
                        .build()));
    }

    private <P extends HasMetadata> void register(Reconciler<P> reconciler) {
        operator.register(
                reconciler,
                (ControllerConfigurationOverrider<P> overrider) -> overrider
                        .withFieldManager(Labels.FIELD_MANAGER)
                        .withReconciliationMaxInterval(MOST_SILENCE)
                        .withRetry(new GenericRetry()
                                .setInitialInterval(FIRST_RETRY)
                                .setIntervalMultiplier(2)
                                .setMaxInterval(settings.longestRetry().toMillis())
                                .withoutMaxAttempts()));
    }

    private void startLeading() {
        leading.set(true);
        LOG.info("{} leads now", settings.identity());
        trainers.poll(runs::trainers, settings.trainerPoll());
        every(settings.orphanSweep(), orphans::sweep);
        every(GAUGES, gauges::refresh);
    }

    private void stopLeading() {
        if (leading.compareAndSet(true, false)) {
            LOG.warn("{} no longer leads", settings.identity());
            clockwork.shutdownNow();
            onLost.run();
        }
    }

    private void every(Duration interval, Runnable work) {
        clockwork.scheduleWithFixedDelay(
                () -> {
                    try {
                        work.run();
                    } catch (RuntimeException e) {
                        // The clock must go on: the next round tries again.
                        LOG.warn("work by the clock failed", e);
                    }
                },
                0,
                interval.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        leading.set(false);
        clockwork.shutdownNow();
        operator.stop();
        trainers.close();
    }
}
