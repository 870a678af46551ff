package dev.tmax.operator.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tmax.api.v1alpha1.SandboxPool;
import dev.tmax.api.v1alpha1.SandboxPoolSpec;
import dev.tmax.api.v1alpha1.SandboxPoolStatus;
import dev.tmax.api.v1alpha1.TrainingRun;
import dev.tmax.api.v1alpha1.TrainingRunStatus;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ObjectGaugesTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final List<TrainingRun> runs = new ArrayList<>();
    private final List<SandboxPool> pools = new ArrayList<>();
    private final ObjectGauges gauges = new ObjectGauges(registry, runs::stream, pools::stream);

    @Test
    void aRunIsInExactlyOnePhase() {
        runs.add(run("a", TrainingRunStatus.Phase.RUNNING, "0.500"));

        gauges.refresh();

        assertThat(registry.get("tmax.run.phase")
                        .tag("phase", "Running")
                        .gauge()
                        .value())
                .isEqualTo(1);
        assertThat(registry.get("tmax.run.phase").gauges().stream()
                        .mapToDouble(gauge -> gauge.value())
                        .sum())
                .isEqualTo(1);
        assertThat(registry.get("tmax.run.reward").tag("run", "a").gauge().value())
                .isEqualTo(0.5);
    }

    @Test
    void seriesOfTwoHundredDeletedRunsAreGone() {
        gauges.refresh();
        int base = registry.getMeters().size();
        IntStream.range(0, 200).forEach(i -> {
            runs.add(run("run-" + i, TrainingRunStatus.Phase.RUNNING, "0.500"));
            pools.add(pool("run-" + i));
        });
        gauges.refresh();
        assertThat(registry.getMeters().size()).isGreaterThan(base);

        runs.clear();
        pools.clear();
        gauges.refresh();

        assertThat(registry.getMeters()).hasSize(base);
    }

    private static TrainingRun run(String name, TrainingRunStatus.Phase phase, String reward) {
        TrainingRun run = new TrainingRun();
        run.getMetadata().setName(name);
        run.getMetadata().setNamespace("n");
        run.setStatus(new TrainingRunStatus(
                phase,
                null,
                null,
                1L,
                3,
                3L,
                null,
                new TrainingRunStatus.Reward(reward, null, null),
                null,
                null,
                null,
                null,
                null,
                0,
                3,
                null,
                null));
        return run;
    }

    private static SandboxPool pool(String run) {
        SandboxPool pool = new SandboxPool();
        pool.setSpec(new SandboxPoolSpec(
                new SandboxPoolSpec.RunRef("n", run, "u"), 1, 1, 60L, null, null, null, null, null, null, null));
        pool.setStatus(new SandboxPoolStatus(null, 1L, new SandboxPoolStatus.Pods(2, 1, 1, 0), null));
        return pool;
    }
}
