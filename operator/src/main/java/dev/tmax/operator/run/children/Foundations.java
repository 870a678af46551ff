package dev.tmax.operator.run.children;

import dev.tmax.api.v1alpha1.CheckpointsSpec;
import dev.tmax.api.v1alpha1.SandboxPool;
import dev.tmax.api.v1alpha1.TrainingRun;
import dev.tmax.contracts.configuration.ConfigurationFile;
import dev.tmax.contracts.configuration.RunConfiguration;
import dev.tmax.operator.Hash;
import dev.tmax.operator.Labels;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import java.util.List;
import java.util.Map;

/** Everything of a run that is no pod, as it should be. Pure: nothing here talks to the API server. */
public final class Foundations {

    static final int ROLLOUT_PORT = 7070;
    private static final int CONFIGURATION_HASH = 10;

    private Foundations() {}

    /** Named by its content, so that pods and their configuration never disagree. */
    public static ConfigMap configuration(TrainingRun run, RunNames names, RunConfiguration configuration) {
        String yaml = ConfigurationFile.write(configuration);
        return new ConfigMapBuilder()
                .withMetadata(metadata(names.configMap(Hash.of(yaml, CONFIGURATION_HASH)), run, names))
                .withImmutable(true)
                .withData(Map.of(Mounts.CONFIGURATION_FILE, yaml))
                .build();
    }

    /** What the trainer said last, kept after its pod is gone. */
    public static ConfigMap result(TrainingRun run, RunNames names, String statusJson) {
        return new ConfigMapBuilder()
                .withMetadata(metadata(names.result(), run, names))
                .withData(Map.of("status.json", statusJson))
                .build();
    }

    /** No owner: it must outlive the run for as long as a retained Checkpoint needs it. */
    public static PersistentVolumeClaim claim(RunNames names, CheckpointsSpec.Storage storage) {
        return new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withName(names.claim())
                .withNamespace(names.namespace())
                .withLabels(names.labels())
                .endMetadata()
                .withNewSpec()
                .withAccessModes("ReadWriteOnce")
                .withStorageClassName(storage.storageClassName())
                .withNewResources()
                .withRequests(Map.of("storage", storage.size()))
                .endResources()
                .endSpec()
                .build();
    }

    /** In the namespace of the run. */
    public static List<HasMetadata> inRunNamespace(TrainingRun run, RunNames names) {
        return List.of(
                serviceAccount(names.trainer(), run, names),
                serviceAccount(names.generator(), run, names),
                service(run, names),
                trainerPolicy(run, names),
                generatorPolicy(run, names));
    }

    /** Beside the pool, and gone with it. */
    public static List<HasMetadata> inSandboxNamespace(TrainingRun run, RunNames names, SandboxPool pool) {
        ObjectMeta metadata = new ObjectMetaBuilder()
                .withName(names.pool())
                .withNamespace(names.sandboxNamespace())
                .withLabels(names.labels())
                .withOwnerReferences(Labels.ownedBy(pool))
                .build();
        return List.of(
                new RoleBuilder()
                        .withMetadata(metadata)
                        .addNewRule()
                        .withApiGroups("")
                        .withResources("pods")
                        .withVerbs("get", "list", "watch")
                        .endRule()
                        .addNewRule()
                        .withApiGroups("tmax.dev")
                        .withResources("sandboxpools")
                        .withResourceNames(names.pool())
                        .withVerbs("get", "patch")
                        .endRule()
                        .build(),
                new RoleBindingBuilder()
                        .withMetadata(metadata)
                        .withNewRoleRef("rbac.authorization.k8s.io", "Role", names.pool())
                        .addNewSubject(null, "ServiceAccount", names.trainer(), names.namespace())
                        .build(),
                SandboxPolicy.of(names, metadata, run.getSpec().sandboxes().network()));
    }

    private static HasMetadata serviceAccount(String name, TrainingRun run, RunNames names) {
        return new ServiceAccountBuilder()
                .withMetadata(metadata(name, run, names))
                .withAutomountServiceAccountToken(false)
                .build();
    }

    private static Service service(TrainingRun run, RunNames names) {
        return new ServiceBuilder()
                .withMetadata(metadata(names.trainer(), run, names))
                .withNewSpec()
                .withSelector(names.selector(Labels.TRAINER))
                .addNewPort()
                .withName("rollout")
                .withPort(ROLLOUT_PORT)
                .withProtocol("TCP")
                .withNewTargetPort(ROLLOUT_PORT)
                .endPort()
                .addNewPort()
                .withName("http")
                .withPort(PodTemplates.HTTP_PORT)
                .withProtocol("TCP")
                .withNewTargetPort(PodTemplates.HTTP_PORT)
                .endPort()
                .endSpec()
                .build();
    }

    /** Weights and episodes only for the run's own generators; metrics and health for anybody. */
    private static NetworkPolicy trainerPolicy(TrainingRun run, RunNames names) {
        return new NetworkPolicyBuilder()
                .withMetadata(metadata(names.trainer(), run, names))
                .withNewSpec()
                .withNewPodSelector()
                .withMatchLabels(names.selector(Labels.TRAINER))
                .endPodSelector()
                .withPolicyTypes("Ingress")
                .addNewIngress()
                .addNewFrom()
                .withNewPodSelector()
                .withMatchLabels(names.selector(Labels.GENERATOR))
                .endPodSelector()
                .endFrom()
                .addNewPort()
                .withProtocol("TCP")
                .withNewPort(ROLLOUT_PORT)
                .endPort()
                .endIngress()
                .addNewIngress()
                .addNewPort()
                .withProtocol("TCP")
                .withNewPort(PodTemplates.HTTP_PORT)
                .endPort()
                .endIngress()
                .endSpec()
                .build();
    }

    private static NetworkPolicy generatorPolicy(TrainingRun run, RunNames names) {
        return new NetworkPolicyBuilder()
                .withMetadata(metadata(names.generator(), run, names))
                .withNewSpec()
                .withNewPodSelector()
                .withMatchLabels(names.selector(Labels.GENERATOR))
                .endPodSelector()
                .withPolicyTypes("Ingress")
                .addNewIngress()
                .addNewPort()
                .withProtocol("TCP")
                .withNewPort(PodTemplates.HTTP_PORT)
                .endPort()
                .endIngress()
                .endSpec()
                .build();
    }

    private static ObjectMeta metadata(String name, TrainingRun run, RunNames names) {
        return new ObjectMetaBuilder()
                .withName(name)
                .withNamespace(names.namespace())
                .withLabels(names.labels())
                .withOwnerReferences(Labels.ownedBy(run))
                .build();
    }
}
