package dev.tmax.operator.run.children;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tmax.api.v1alpha1.TaskSet;
import dev.tmax.api.v1alpha1.TrainingRun;
import dev.tmax.operator.OperatorSettings;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WorkloadsTest {

    private static final String YAML = """
            apiVersion: tmax.dev/v1alpha1
            kind: TrainingRun
            metadata: {name: run, namespace: n, uid: 12345678-0000-0000-0000-000000000000}
            spec:
              model: {source: {image: "model:1"}, maxPromptTokens: 256, maxResponseTokens: 64, maxTurnTokens: 64}
              tasks: {taskSetRef: {name: tasks}, shuffleSeed: 0}
              recipe: {steps: 10, groupSize: 4}
              agent: {maxTurns: 1}
              trainer: {resources: {limits: {cpu: 1500m}}}
              generators: {replicas: 2, maxEpisodes: 32}
              sandboxes: {maxPods: 3}
              suspend: false
              backoffLimit: 6
            """;

    private static final OperatorSettings.Images IMAGES = new OperatorSettings.Images("t", "g", "e", "i");

    @Test
    void whatConcernsNoPodDoesNotChangeTheHash() {
        assertThat(hash(YAML.replace("replicas: 2", "replicas: 5")
                        .replace("suspend: false", "suspend: true")
                        .replace("backoffLimit: 6", "backoffLimit: 7")))
                .isEqualTo(hash(YAML));
    }

    @Test
    void whatConcernsPodsChangesTheHash() {
        assertThat(hash(YAML.replace("steps: 10", "steps: 20"))).isNotEqualTo(hash(YAML));
        assertThat(hash(YAML.replace("1500m", "2"))).isNotEqualTo(hash(YAML));
        assertThat(hash(YAML.replace("maxEpisodes: 32", "maxEpisodes: 64"))).isNotEqualTo(hash(YAML));
    }

    @Test
    void theTrainerComputesWithAsManyThreadsAsItsLimitHasProcessors() {
        TrainingRun run = run(YAML);
        StatefulSet trainer = Workloads.trainer(run, RunNames.of(run, "sandboxes"), references(), "config", IMAGES);

        assertThat(environment(trainer)).contains(new EnvVar("TMAX_THREADS", "2", null));
    }

    @Test
    void aGeneratorIsToldTheMemoryForItsCachesInBytes() {
        TrainingRun run = run(YAML.replace("maxEpisodes: 32", "maxEpisodes: 32, cacheMemory: 1.5Gi"));
        StatefulSet generators =
                Workloads.generators(run, RunNames.of(run, "sandboxes"), references(), "config", IMAGES);

        assertThat(environment(generators)).contains(new EnvVar("TMAX_CACHE_BYTES", "1610612736", null));
    }

    @Test
    void withoutMemoryForItsCachesAGeneratorDecidesItself() {
        TrainingRun run = run(YAML);
        StatefulSet generators =
                Workloads.generators(run, RunNames.of(run, "sandboxes"), references(), "config", IMAGES);

        assertThat(environment(generators)).extracting(EnvVar::getName).doesNotContain("TMAX_CACHE_BYTES");
    }

    private static References references() {
        return new References(
                new References.Model.InImage("model:1"),
                Serialization.unmarshal("""
                                apiVersion: tmax.dev/v1alpha1
                                kind: TaskSet
                                spec: {source: {image: "tasks:1"}}
                                """, TaskSet.class).getSpec(),
                Optional.empty(),
                Optional.empty(),
                new References.Claim("claim", "", true));
    }

    private static List<EnvVar> environment(StatefulSet workload) {
        return workload.getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .getFirst()
                .getEnv();
    }

    private static String hash(String yaml) {
        return Workloads.specHash(run(yaml).getSpec());
    }

    private static TrainingRun run(String yaml) {
        return Serialization.unmarshal(yaml, TrainingRun.class);
    }
}
