package dev.tmax.operator.run.children;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tmax.api.v1alpha1.SandboxPool;
import dev.tmax.api.v1alpha1.SandboxPoolSpec;
import dev.tmax.api.v1alpha1.SandboxesSpec;
import dev.tmax.api.v1alpha1.TrainingRun;
import dev.tmax.api.v1alpha1.TrainingRunSpec;
import dev.tmax.operator.Hash;
import dev.tmax.operator.Labels;
import dev.tmax.operator.OperatorSettings;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The pods of a run, as they should be. Pure: nothing here talks to the API server. */
public final class Workloads {

    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .serializationInclusion(JsonInclude.Include.NON_NULL)
            .build();
    private static final int SPEC_HASH = 16;
    private static final long TRAINER_GRACE_SECONDS = 60;
    private static final long GENERATOR_GRACE_SECONDS = 10;

    private Workloads() {}

    /**
     * Hash of the parts of the spec that pods are made from. Pods are made anew when a person changes one of these, and for
     * nothing else: not for another number of generators, and not for another version of the operator.
     */
    public static String specHash(TrainingRunSpec spec) {
        ObjectNode parts = JSON.valueToTree(spec);
        // What only the operator itself acts on.
        parts.remove(List.of("suspend", "backoffLimit", "activeDeadlineSeconds", "ttlSecondsAfterFinished"));
        parts.withObject("/generators").remove("replicas");
        return Hash.of(parts.toString(), SPEC_HASH);
    }

    public static StatefulSet trainer(
            TrainingRun run, RunNames names, References references, String configMap, OperatorSettings.Images images) {
        TrainingRunSpec spec = run.getSpec();
        List<Volume> volumes = volumes(names, references, configMap, true);
        List<VolumeMount> mounts = mounts(references);
        volumes.add(PodTemplates.claim("checkpoints", references.checkpoints().name(), false));
        mounts.add(PodTemplates.mount("checkpoints", Mounts.CHECKPOINTS, false));
        PodTemplateSpec pod = PodTemplates.pod(
                PodTemplates.podLabels(names, Labels.TRAINER),
                names.trainer(),
                true,
                spec.trainer(),
                TRAINER_GRACE_SECONDS,
                PodTemplates.container(
                        Labels.TRAINER,
                        images.trainer(),
                        spec.trainer(),
                        PodTemplates.environment(spec.trainer().threads(), spec.trainer()),
                        mounts,
                        Foundations.ROLLOUT_PORT,
                        PodTemplates.HTTP_PORT),
                volumes);
        return statefulSet(run, names, Labels.TRAINER, names.trainer(), 1, pod);
    }

    public static StatefulSet generators(
            TrainingRun run, RunNames names, References references, String configMap, OperatorSettings.Images images) {
        TrainingRunSpec spec = run.getSpec();
        List<EnvVar> environment = PodTemplates.environment(spec.generators().threads(), spec.generators());
        environment.add(PodTemplates.value(
                "TMAX_SLOTS", String.valueOf(spec.generators().maxEpisodes())));
        if (spec.generators().cacheMemory() != null) {
            environment.add(PodTemplates.value(
                    "TMAX_CACHE_BYTES",
                    Quantity.parse(spec.generators().cacheMemory())
                            .getNumericalAmount()
                            .toBigInteger()
                            .toString()));
        }
        PodTemplateSpec pod = PodTemplates.pod(
                PodTemplates.podLabels(names, Labels.GENERATOR),
                names.generator(),
                false,
                spec.generators(),
                GENERATOR_GRACE_SECONDS,
                PodTemplates.container(
                        Labels.GENERATOR,
                        images.generator(),
                        spec.generators(),
                        environment,
                        mounts(references),
                        PodTemplates.HTTP_PORT),
                volumes(names, references, configMap, false));
        return statefulSet(
                run,
                names,
                Labels.GENERATOR,
                names.generator(),
                spec.generators().replicas(),
                pod);
    }

    /** Without demand: that field is the trainer's. */
    public static SandboxPool pool(TrainingRun run, RunNames names) {
        SandboxesSpec spec = run.getSpec().sandboxes();
        SandboxPool pool = new SandboxPool();
        pool.getMetadata().setName(names.pool());
        pool.getMetadata().setNamespace(names.sandboxNamespace());
        pool.getMetadata().setLabels(names.labels());
        pool.setSpec(new SandboxPoolSpec(
                new SandboxPoolSpec.RunRef(names.namespace(), names.name(), names.uid()),
                spec.maxPods(),
                ConfigurationRenderer.attemptsPerPod(spec, run.getSpec().recipe()),
                spec.podDeadlineSeconds(),
                spec.resources(),
                spec.nodeSelector(),
                spec.tolerations(),
                spec.affinity(),
                spec.runtimeClassName(),
                spec.priorityClassName(),
                null));
        return pool;
    }

    private static List<Volume> volumes(
            RunNames names, References references, String configMap, boolean withSandboxKey) {
        List<Volume> volumes = new ArrayList<>();
        volumes.add(PodTemplates.configuration(configMap, names.secret(), withSandboxKey));
        volumes.add(PodTemplates.model(references.model()));
        volumes.add(PodTemplates.tasks("tasks", references.tasks().source()));
        references
                .heldOut()
                .ifPresent(heldOut -> volumes.add(
                        PodTemplates.tasks("evaluation-tasks", heldOut.tasks().source())));
        volumes.add(PodTemplates.scratch("tmp"));
        return volumes;
    }

    private static List<VolumeMount> mounts(References references) {
        List<VolumeMount> mounts = new ArrayList<>();
        mounts.add(PodTemplates.mount("configuration", Mounts.CONFIGURATION, true));
        mounts.add(PodTemplates.mount("model", Mounts.MODEL, true));
        mounts.add(PodTemplates.mount("tasks", Mounts.TASKS, true));
        if (references.heldOut().isPresent()) {
            mounts.add(PodTemplates.mount("evaluation-tasks", Mounts.EVALUATION_TASKS, true));
        }
        mounts.add(PodTemplates.mount("tmp", "/tmp", false));
        return mounts;
    }

    private static StatefulSet statefulSet(
            TrainingRun run, RunNames names, String component, String name, int replicas, PodTemplateSpec pod) {
        return new StatefulSetBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(names.namespace())
                .withLabels(names.labels(component))
                .withAnnotations(Map.of(Labels.SPEC_HASH, specHash(run.getSpec())))
                .withOwnerReferences(Labels.ownedBy(run))
                .endMetadata()
                .withNewSpec()
                .withServiceName(names.trainer())
                .withReplicas(replicas)
                .withRevisionHistoryLimit(1)
                // All pods at once, and a broken one does not hold up its own repair.
                .withPodManagementPolicy("Parallel")
                .withNewSelector()
                .withMatchLabels(names.selector(component))
                .endSelector()
                .withTemplate(pod)
                .endSpec()
                .build();
    }
}
