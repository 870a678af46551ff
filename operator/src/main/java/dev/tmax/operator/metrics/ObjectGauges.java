package dev.tmax.operator.metrics;

import dev.tmax.api.v1alpha1.SandboxPool;
import dev.tmax.api.v1alpha1.SandboxPoolStatus;
import dev.tmax.api.v1alpha1.TrainingRun;
import dev.tmax.api.v1alpha1.TrainingRunStatus;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Gauges of the runs and pools that exist. Series go with their objects. */
public final class ObjectGauges {

    private final Supplier<Stream<TrainingRun>> runs;
    private final Supplier<Stream<SandboxPool>> pools;
    private final MultiGauge phase;
    private final MultiGauge step;
    private final MultiGauge reward;
    private final MultiGauge failures;
    private final MultiGauge pods;
    private final MultiGauge replaced;

    public ObjectGauges(
            MeterRegistry registry, Supplier<Stream<TrainingRun>> runs, Supplier<Stream<SandboxPool>> pools) {
        this.runs = runs;
        this.pools = pools;
        this.phase = MultiGauge.builder("tmax.run.phase")
                .description("1 for the phase that the run is in")
                .register(registry);
        this.step = MultiGauge.builder("tmax.run.step")
                .description("Optimizer steps done")
                .register(registry);
        this.reward = MultiGauge.builder("tmax.run.reward")
                .description("Mean reward of the newest step")
                .register(registry);
        this.failures = MultiGauge.builder("tmax.run.failures")
                .description("Trainer crashes since the last progress")
                .register(registry);
        this.pods = MultiGauge.builder("tmax.sandbox.pods")
                .description("Sandbox pods by state")
                .register(registry);
        this.replaced = MultiGauge.builder("tmax.sandbox.pods.replaced")
                .description("Sandbox pods of the run that ended, or no longer answered, and were replaced")
                .register(registry);
    }

    /** Takes over what exists now. */
    public void refresh() {
        List<MultiGauge.Row<?>> phases = new ArrayList<>();
        List<MultiGauge.Row<?>> steps = new ArrayList<>();
        List<MultiGauge.Row<?>> rewards = new ArrayList<>();
        List<MultiGauge.Row<?>> crashes = new ArrayList<>();
        runs.get().filter(run -> run.getStatus() != null).forEach(run -> {
            Tags tags = Tags.of(
                    "namespace",
                    run.getMetadata().getNamespace(),
                    "run",
                    run.getMetadata().getName());
            TrainingRunStatus status = run.getStatus();
            for (TrainingRunStatus.Phase each : TrainingRunStatus.Phase.values()) {
                phases.add(MultiGauge.Row.of(tags.and("phase", title(each)), each == status.phase() ? 1 : 0));
            }
            steps.add(MultiGauge.Row.of(tags, Optional.ofNullable(status.step()).orElse(0)));
            crashes.add(MultiGauge.Row.of(
                    tags, Optional.ofNullable(status.failures()).orElse(0)));
            Optional.ofNullable(status.reward())
                    .map(TrainingRunStatus.Reward::mean)
                    .ifPresent(mean -> rewards.add(MultiGauge.Row.of(tags, Double.parseDouble(mean))));
        });
        phase.register(phases, true);
        step.register(steps, true);
        reward.register(rewards, true);
        failures.register(crashes, true);
        pods.register(podRows(), true);
        replaced.register(replacedRows(), true);
    }

    private List<MultiGauge.Row<?>> replacedRows() {
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        poolsWithCounts()
                .forEach(pool -> rows.add(
                        MultiGauge.Row.of(tags(pool), pool.getStatus().pods().replaced())));
        return rows;
    }

    private Stream<SandboxPool> poolsWithCounts() {
        return pools.get()
                .filter(pool -> pool.getStatus() != null && pool.getStatus().pods() != null);
    }

    private static Tags tags(SandboxPool pool) {
        return Tags.of(
                "namespace",
                pool.getSpec().runRef().namespace(),
                "run",
                pool.getSpec().runRef().name());
    }

    private List<MultiGauge.Row<?>> podRows() {
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        poolsWithCounts().forEach(pool -> {
            SandboxPoolStatus.Pods counts = pool.getStatus().pods();
            Tags tags = tags(pool);
            rows.add(MultiGauge.Row.of(tags.and("state", "wanted"), counts.wanted()));
            rows.add(MultiGauge.Row.of(tags.and("state", "warming"), counts.warming()));
            rows.add(MultiGauge.Row.of(tags.and("state", "ready"), counts.ready()));
        });
        return rows;
    }

    private static String title(TrainingRunStatus.Phase phase) {
        String name = phase.name();
        return name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT);
    }
}
