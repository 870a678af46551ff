package dev.tmax.e2e.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.KubernetesClientException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the API server refuses, and in which words: field, value, remedy. */
class BadInputTest extends OperatorTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "groupSize: 4 | groupSize: 1 | groupSize: 1 is not usable with DPPO; the advantage compares attempts of a group: use at least 2",
                "steps: 10 | steps: 0 | spec.recipe.steps in body should be greater than or equal to 1",
                "\"1e-5\" | \"-1e-5\" | learningRate: -1e-5 is not usable; write a positive number such as 1e-6",
                "\"1e-5\" | \"0\" | learningRate: 0 is not usable; write a positive number such as 1e-6",
                "\"1e-5\" | \"fast\" | learningRate: fast is not usable; write a positive number such as 1e-6",
                "\"1e-5\" | \"NaN\" | learningRate: NaN is not usable",
                "image: \"model:1\" | image: \"model:1\", checkpointRef: {name: c} | model.source has several sources; give exactly one of image, persistentVolumeClaim, checkpointRef",
                "{image: \"model:1\"} | {} | model.source has no source; give exactly one of image, persistentVolumeClaim, checkpointRef",
                "steps: 10 | {steps: 10, algorithm: XPO} | Unsupported value: \"XPO\": supported values: \"CISPO\", \"DAPO\", \"DPPO\", \"GRPO\", \"SFT\"",
                "maxTurnTokens: 64 | maxTurnTokens: 65 | maxTurnTokens is above maxResponseTokens",
                "maxTurns: 1 | maxTurns: 1, commandTimeout: fast | commandTimeout: fast is not usable; write whole seconds, minutes or hours such as 120s",
                "maxTurns: 1 | maxTurns: 1, systemPromptRef: {name: p} | agent has systemPrompt and systemPromptRef; give one of them",
                "everySteps: 5 | everySteps: 5, keep: 0 | spec.checkpoints.keep in body should be greater than or equal to 1",
                "everySteps: 5 | everySteps: 5, storage: {storageClassName: s, persistentVolumeClaim: {claimName: c}} | storage has persistentVolumeClaim and storageClassName",
                "name: run} | name: 1run} | metadata.name: 1run is not usable; it becomes part of Service names",
                "name: run} | name: my.run} | metadata.name: my.run is not usable",
            })
    void aBadRunIsRefused(String written, String instead, String words) {
        String yaml = instead.startsWith("{steps")
                ? Stage.RUN_YAML.replace(
                        written, instead.substring(1, instead.length() - 1).replace(", ", "\n    "))
                : Stage.RUN_YAML.replace(written, instead);
        assertThat(yaml).isNotEqualTo(Stage.RUN_YAML);

        assertThatThrownBy(() -> stage.apply(yaml))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining(words);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "model:1 | model:2 | model is immutable; make a new TrainingRun",
                "taskSetRef: {name: tasks} | taskSetRef: {name: others} | tasks is immutable; make a new TrainingRun",
                "groupSize: 4 | groupSize: 8 | groupSize is immutable; make a new TrainingRun",
                "1e-5 | 1e-4 | optimizer is immutable; make a new TrainingRun",
                "steps: 10 | steps: 9 | steps may only grow; write at least the number of steps that the run had",
            })
    void whatCannotChangeIsRefusedByName(String written, String instead, String words) {
        stage.apply(Stage.RUN_YAML);

        assertThatThrownBy(() -> stage.apply(Stage.RUN_YAML.replace(written, instead)))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining(words);
    }

    @Test
    void aPodThatWouldBeReplacedBeforeItIsFullIsRefused() {
        assertThatThrownBy(() ->
                        stage.apply(Stage.RUN_YAML + "  sandboxes: {attemptsPerPod: 8, retireAfterAttempts: 7}\n"))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("retireAfterAttempts is smaller than attemptsPerPod");
    }

    @Test
    void whatMayChangeIsTaken() {
        stage.apply(Stage.RUN_YAML);

        stage.apply(Stage.RUN_YAML.replace("steps: 10", "steps: 20").replace("everySteps: 5", "everySteps: 7")
                + "  generators: {replicas: 5}\n  sandboxes: {maxPods: 9}\n");

        assertThat(stage.run().getSpec().recipe().steps()).isEqualTo(20);
    }

    @Test
    void supervisedTuningNeedsNoGroup() {
        stage.apply(Stage.RUN_YAML.replace("groupSize: 4", "groupSize: 1\n    algorithm: SFT"));

        assertThat(stage.run()).isNotNull();
    }

    @Test
    void aTaskSetNeedsExactlyOneSource() {
        assertThatThrownBy(() -> stage.apply(Stage.TASKS_YAML.replace("{image: \"tasks:1\"}", "{}")))
                .hasMessageContaining("source needs exactly one of image and persistentVolumeClaim; give one of them");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "everything | 443 | cidr: everything is no block of addresses; write one such as 203.0.113.0/24",
                "169.254.169.254/32 | 80 | cidr: 169.254.169.254/32 is link-local, where nodes keep their credentials; leave it out",
                "10.0.0.0/8 | 0 | ports: a port is not usable; write numbers from 1 to 65535",
            })
    void aNetworkThatSandboxesMustNotReachIsRefused(String cidr, int port, String words) {
        String network = "{allow: [{cidr: \"" + cidr + "\", ports: [" + port + "]}]}";

        assertThatThrownBy(() -> stage.apply(Stage.RUN_YAML + "  sandboxes: {network: " + network + "}\n"))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining(words);
    }

    @Test
    void aSplitThatLeavesAPartEmptyIsRefused() {
        assertThatThrownBy(() -> stage.apply(Stage.TASKS_YAML + "  split: {part: HeldOut, heldOutPercent: 100}\n"))
                .hasMessageContaining("spec.split.heldOutPercent")
                .hasMessageContaining("less than or equal to 99");
    }

    @Test
    void aPathThatLeavesItsVolumeIsRefused() {
        assertThatThrownBy(() -> stage.apply(Stage.TASKS_YAML.replace("path: train", "path: ../secrets")))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("spec.path");
    }
}
