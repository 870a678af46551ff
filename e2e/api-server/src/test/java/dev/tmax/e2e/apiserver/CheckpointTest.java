package dev.tmax.e2e.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tmax.api.v1alpha1.Checkpoint;
import dev.tmax.contracts.status.RunStatus;
import org.junit.jupiter.api.Test;

class CheckpointTest extends OperatorTest {

    private static final String ASKED = """
            apiVersion: tmax.dev/v1alpha1
            kind: Checkpoint
            metadata: {name: now}
            spec: {runRef: {name: run}}
            """;

    @Test
    void aPersonsCheckpointIsTakenAndCompleted() {
        ServedTrainer trainer = stage.startRun(3);

        stage.apply(ASKED);
        Await.until(
                "the trainer is asked",
                Await.SOON,
                () -> trainer.posts().stream().anyMatch(post -> post.startsWith("/v1/checkpoint Bearer ")));
        trainer.says(Statuses.at(RunStatus.Phase.RUNNING, 4, Statuses.snapshot(4)));

        Checkpoint checkpoint = Await.until(
                "it is complete",
                Await.SOON,
                () -> get("now"),
                found -> found.getStatus() != null
                        && Boolean.TRUE.equals(found.getStatus().complete()));
        assertThat(checkpoint.getStatus().step()).isEqualTo(4);
        assertThat(checkpoint.getStatus().location().claimName())
                .isEqualTo(stage.run().getStatus().checkpointClaim());
        assertThat(checkpoint.getStatus().location().huggingFacePath()).isEqualTo("step-4/huggingface");
    }

    @Test
    void aCheckpointOfNoRunSaysSo() {
        stage.apply(ASKED);

        Await.until(
                "it waits",
                Await.SOON,
                () -> get("now"),
                found -> found.getStatus() != null
                        && found.getStatus()
                                .conditions()
                                .getFirst()
                                .getMessage()
                                .contains("TrainingRun 'run' does not exist"));
    }

    private Checkpoint get(String name) {
        return stage.get(Checkpoint.class, name);
    }
}
