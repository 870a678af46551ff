package dev.tmax.e2e.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tmax.contracts.status.RunStatus;
import dev.tmax.e2e.apiserver.FaultProxy.Fault;
import dev.tmax.e2e.apiserver.FaultProxy.Request;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The operator is killed in the middle of making pods. For the API server a killed process is one whose connections broke,
 * after what it asked for last was done, or before: so it is cut off at that point and never heard of again.
 */
class KilledOperatorTest extends OperatorTest {

    private static final int KILLS = 20;
    private static final int MAX_PODS = 8;

    private FaultProxy proxy;

    @AfterEach
    void stepAside() {
        cluster.restartOperator("operator-after-" + stage.namespace());
        proxy.close();
    }

    @Test
    void afterTwentyKillsTheCountsAreExact() {
        proxy = cluster.restartOperatorBehindProxy();
        stage.applyGoodTasks();
        stage.apply(Stage.RUN_YAML + "  sandboxes: {maxPods: " + MAX_PODS + ", attemptsPerPod: 1}\n");
        stage.trainerSays(Statuses.at(RunStatus.Phase.RUNNING, 1));
        Await.until("the pool is there", Await.SOON, () -> stage.pool() != null);
        Random random = new Random(20);
        try (PodCensus census = new PodCensus(stage.client(), stage.poolName())) {
            for (int kill = 0; kill < KILLS; kill++) {
                FaultProxy current = proxy;
                current.strike(
                        Request.to("(POST|DELETE)", "pods"),
                        1 + random.nextInt(4),
                        new Fault.Cut(random.nextBoolean()));
                // Other images each time: pods go and pods come.
                int first = kill;
                stage.demand(IntStream.range(0, 3)
                        .mapToObj(i -> "{name: %s, image: '%1$s:1', attempts: %d, step: %d}"
                                .formatted("e" + (first + i) % 5, 2 + i, i))
                        .toArray(String[]::new));
                Await.until("kill " + kill, Await.SOON, () -> current.isCut() || hasSettled("e" + (first + 2) % 5));
                // Where there was less to do than that, it is killed at rest.
                current.close();
                proxy = cluster.restartKilledOperator();
            }
            stage.demand(
                    "{name: e0, image: 'e0:1', attempts: 3, step: 1}",
                    "{name: e9, image: 'e9:1', attempts: 9, step: 2}");

            Await.until(
                    "exactly the pods of the last demand",
                    Await.SOON,
                    this::indices,
                    List.of("e0/0", "e0/1", "e0/2", "e9/0", "e9/1", "e9/2", "e9/3")::equals);
            assertThat(census.mostAlive()).as("never above maxPods").isLessThanOrEqualTo(MAX_PODS);
            assertThat(census.doubles()).as("indices with two pods").isEmpty();
        }
    }

    /** All pods that may be are there, those of the last entry, which gets what is left, among them. */
    private boolean hasSettled(String last) {
        List<String> indices = indices();
        return indices.size() == MAX_PODS
                && indices.stream()
                                .filter(index -> index.startsWith(last + "/"))
                                .count()
                        == 3;
    }

    private List<String> indices() {
        return stage.sandboxPods().stream()
                .map(pod -> pod.getMetadata().getLabels().get("tmax.dev/sandbox-entry") + "/"
                        + pod.getMetadata().getAnnotations().get("tmax.dev/sandbox-index"))
                .sorted()
                .collect(Collectors.toList());
    }
}
