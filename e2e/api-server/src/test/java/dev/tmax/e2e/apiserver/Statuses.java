package dev.tmax.e2e.apiserver;

import dev.tmax.contracts.status.RunStatus;
import dev.tmax.contracts.status.RunStatus.Phase;
import dev.tmax.contracts.status.RunStatus.Snapshot;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/** What trainers say, in short. */
final class Statuses {

    static final int STEPS = 10;

    private Statuses() {}

    static RunStatus at(Phase phase, int step, Snapshot... snapshots) {
        return of(phase, "", step, snapshots);
    }

    static RunStatus of(Phase phase, String message, int step, Snapshot... snapshots) {
        return new RunStatus(
                phase,
                message,
                step,
                STEPS,
                step,
                IntStream.range(0, step).mapToObj(i -> 0.5 + i / 100.0).toList(),
                123,
                60,
                new RunStatus.Generators(2, 2),
                new RunStatus.Sandboxes(0, 1, 1, 64, 1),
                new RunStatus.Groups(step, 0, 0, 0, 0, 0),
                List.of(snapshots),
                0.1,
                phase == Phase.SUCCEEDED ? 0.8 : null,
                null,
                null,
                null);
    }

    static Snapshot snapshot(int step) {
        return new Snapshot(
                "step-" + step,
                step,
                step,
                "/checkpoints/step-" + step,
                "/checkpoints/step-" + step + "/huggingface",
                "sha256:" + step,
                1_000,
                null,
                0.5,
                Instant.now().toString());
    }
}
