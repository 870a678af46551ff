package dev.tmax.operator.run.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tmax.api.v1alpha1.TrainingRun;
import dev.tmax.operator.run.Observation;
import dev.tmax.operator.run.children.RunNames;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RecordAttemptsTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:01:00Z");
    private static final String RUNNING = "state: {running: {startedAt: '2026-01-01T00:00:00Z'}}";
    private static final String TERMINATED =
            "state: {terminated: {startedAt: '2026-01-01T00:00:00Z', finishedAt: '2026-01-01T00:00:30Z', exitCode: 1, reason: Error}}";

    private final TrainingRun run = Serialization.unmarshal("""
            apiVersion: tmax.dev/v1alpha1
            kind: TrainingRun
            metadata: {name: run, namespace: team, uid: u, generation: 1}
            spec: {backoffLimit: 3}
            """, TrainingRun.class);
    private final StatusDraft status = new StatusDraft(run, Clock.fixed(NOW, ZoneOffset.UTC));

    @Test
    void anEvictionWhoseNewsIsLateIsRecordedAsOne() {
        visit(Optional.of(pod("phase: Running", RUNNING)), Optional.empty());
        visit(Optional.empty(), Optional.empty());
        assertThat(status.attempts.getFirst().reason()).isEqualTo("Deleted");

        visit(Optional.empty(), Optional.of(pod("reason: Evicted", TERMINATED)));

        assertThat(status.attempts).hasSize(1);
        assertThat(status.attempts.getFirst().reason()).isEqualTo("Evicted");
        assertThat(status.failures).isZero();
    }

    @Test
    void aCrashWhoseNewsIsLateCountsOnce() {
        visit(Optional.of(pod("phase: Running", RUNNING)), Optional.empty());
        visit(Optional.empty(), Optional.empty());

        visit(Optional.empty(), Optional.of(pod("phase: Failed", TERMINATED)));
        visit(Optional.empty(), Optional.of(pod("phase: Failed", TERMINATED)));

        assertThat(status.attempts.getFirst().reason()).isEqualTo("Error (exit code 1)");
        assertThat(status.failures).isEqualTo(1);
    }

    private void visit(Optional<Pod> pod, Optional<Pod> departed) {
        Observation seen = new Observation(
                Optional.empty(),
                Optional.empty(),
                pod,
                departed,
                List.of(),
                Optional.empty(),
                Optional.empty(),
                List.of());
        new RecordAttempts().reconcile(new Visit(run, RunNames.of(run, "sandboxes"), seen, status, NOW));
    }

    private static Pod pod(String why, String state) {
        return Serialization.unmarshal("""
                apiVersion: v1
                kind: Pod
                metadata: {name: run-trainer-0}
                status:
                  %s
                  conditions: []
                  containerStatuses:
                    - name: trainer
                      %s
                """.formatted(why, state), Pod.class);
    }
}
