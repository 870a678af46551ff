package dev.tmax.e2e.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What only shows on nodes: every message names what is wrong, with its value, and what to do. */
class BadInputTest extends ClusterTest {

    private static final String RUN = "tiny";
    private static final Duration SOON = Duration.ofSeconds(90);

    BadInputTest() {
        super("e2e-bad-input");
    }

    @BeforeAll
    void makeTaskSet() {
        namespace().apply("tasks.yaml");
    }

    @AfterEach
    void removeRun() {
        namespace().deleteRun(RUN);
        client().resourceQuotas().inNamespace(namespace().name()).delete();
        Await.until(
                "the run's pods are gone",
                GONE_WITHIN,
                namespace()::pods,
                pods -> pods.stream()
                        .noneMatch(pod -> pod.getMetadata().getName().startsWith(RUN)));
    }

    @ParameterizedTest
    @CsvSource({
        "e2e-model-without-config, config.json",
        "e2e-model-without-tokenizer, tokenizer.json",
        "e2e-model-of-unknown-architecture, MambaForCausalLM",
        "e2e-model-truncated, model.safetensors",
    })
    void aModelFolderThatCannotBeUsedFailsTheRunAndNamesTheFile(String image, String named) {
        apply(Map.of("e2e-tiny-model", image));

        Observed run = namespace().awaitRun(RUN, "has failed", SOON, seen -> seen.is("Failed"));

        assertThat(run.message("Failed")).contains(named);
    }

    @Test
    void aPromptLongerThanTheModelsContextFailsTheRun() {
        apply(Map.of("maxPromptTokens: 1024", "maxPromptTokens: 999999"));

        Observed run = namespace().awaitRun(RUN, "has failed", SOON, seen -> seen.is("Failed"));

        assertThat(run.message("Failed")).contains("maxPromptTokens").contains("999999");
    }

    @Test
    void anImageThatCannotBePulledIsNamed() {
        apply(Map.of("docker.io/tmax/e2e-tiny-model:0.1.0", "docker.io/tmax/no-such-model:0.1.0"));

        awaitReason("docker.io/tmax/no-such-model:0.1.0");
    }

    @Test
    void aNodeWithoutTheNeededResourceIsNamed() {
        apply(Map.of(
                "  trainer:\n",
                "  trainer:\n    resources: {requests: {nvidia.com/gpu: \"1\"}, limits: {nvidia.com/gpu: \"1\"}}\n"));

        awaitReason("nvidia.com/gpu");
    }

    @Test
    void aQuotaThatIsTooSmallIsNamed() {
        client().resource(new ResourceQuotaBuilder()
                        .withNewMetadata()
                        .withName("small")
                        .withNamespace(namespace().name())
                        .endMetadata()
                        .withNewSpec()
                        .withHard(Map.of("pods", new Quantity("0")))
                        .endSpec()
                        .build())
                .create();
        apply(Map.of());

        awaitReason("quota");
    }

    @Test
    void anEmptyTaskSetIsInvalidAndTheRunWaits() {
        namespace()
                .apply("tasks.yaml", Map.of("name: quickstart", "name: empty", "path: train", "path: no-such-folder"));
        Observed taskSet = Await.until(
                "the task set is found invalid",
                SOON,
                () -> namespace().taskSet("empty"),
                seen -> !seen.message("Valid").isEmpty()
                        && !seen.is("Valid")
                        && seen.message("Valid").contains("no-such-folder"));
        assertThat(taskSet.is("Valid")).isFalse();
    }

    private void awaitReason(String text) {
        namespace()
                .awaitRun(
                        RUN,
                        "says '" + text + "'",
                        SOON,
                        seen -> seen.conditions().contains(text));
    }

    private void apply(Map<String, String> replacements) {
        Map<String, String> all = new HashMap<>(replacements);
        all.put("SYSTEM_PROMPT", "Answer with a bash block.");
        namespace().apply("tiny-run.yaml", all);
    }
}
