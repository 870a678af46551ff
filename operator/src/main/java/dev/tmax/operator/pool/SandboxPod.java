package dev.tmax.operator.pool;

import dev.tmax.api.v1alpha1.SandboxPool;
import dev.tmax.api.v1alpha1.SandboxPoolSpec.Demand;
import dev.tmax.contracts.sandbox.SandboxContract;
import dev.tmax.operator.Labels;
import dev.tmax.operator.pool.PodView.PodName;
import dev.tmax.operator.run.children.PodTemplates;
import io.fabric8.kubernetes.api.model.CapabilitiesBuilder;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ContainerPortBuilder;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.ProbeBuilder;
import io.fabric8.kubernetes.api.model.SecurityContextBuilder;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import java.util.Map;

/** A pod of a task image that hosts cells, as it is made. */
final class SandboxPod {

    static final String INDEX_ANNOTATION = "tmax.dev/sandbox-index";

    private static final String ENV_RUNNER_MOUNT = "/opt/tmax";
    private static final String CELLS_MOUNT = "/sandboxes";

    private SandboxPod() {}

    static Pod render(SandboxPool pool, PodName name, Demand demand, byte[] tokenKey, String envRunnerImage) {
        PodSpecBuilder spec = new PodSpecBuilder()
                .withRestartPolicy("Never")
                // Root of the pod is nobody on the node; the capabilities below hold only inside that user namespace.
                .withHostUsers(false)
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                .withActiveDeadlineSeconds(pool.getSpec().podDeadlineSeconds())
                .withTerminationGracePeriodSeconds(1L)
                .withNewSecurityContext()
                .withNewSeccompProfile()
                .withType("RuntimeDefault")
                .endSeccompProfile()
                .endSecurityContext()
                .withContainers(new ContainerBuilder()
                        .withName("sandbox")
                        .withImage(demand.image())
                        .withImagePullPolicy("IfNotPresent")
                        .withCommand(ENV_RUNNER_MOUNT + "/bin/env-runner")
                        .withEnv(
                                new EnvVarBuilder()
                                        .withName(SandboxContract.TOKEN_VARIABLE)
                                        .withValue(SandboxContract.token(tokenKey, name.toString()))
                                        .build(),
                                // A pod that no trainer takes within this time ends, and is replaced if it is still
                                // wanted.
                                new EnvVarBuilder()
                                        .withName("TMAX_FIRST_LEASE_SECONDS")
                                        .withValue("600")
                                        .build())
                        .withPorts(new ContainerPortBuilder()
                                .withName("env-runner")
                                .withContainerPort(SandboxContract.PORT)
                                .withProtocol("TCP")
                                .build())
                        .withResources(pool.getSpec().resources())
                        .withReadinessProbe(new ProbeBuilder()
                                .withNewHttpGet()
                                .withPath("/healthz")
                                .withNewPort(SandboxContract.PORT)
                                .endHttpGet()
                                .withPeriodSeconds(1)
                                .withTimeoutSeconds(5)
                                .withFailureThreshold(10)
                                .build())
                        .withSecurityContext(new SecurityContextBuilder()
                                .withRunAsUser(0L)
                                .withRunAsGroup(0L)
                                .withProcMount("Unmasked")
                                .withAllowPrivilegeEscalation(true)
                                .withCapabilities(new CapabilitiesBuilder()
                                        .withAdd("SYS_ADMIN", "NET_ADMIN")
                                        .build())
                                .build())
                        .withVolumeMounts(
                                PodTemplates.mount("env-runner", ENV_RUNNER_MOUNT, true),
                                PodTemplates.mount("cells", CELLS_MOUNT, false))
                        .build())
                .withVolumes(
                        new VolumeBuilder()
                                .withName("env-runner")
                                .withNewImage()
                                .withReference(envRunnerImage)
                                .withPullPolicy("IfNotPresent")
                                .endImage()
                                .build(),
                        PodTemplates.scratch("cells"));
        PodTemplates.place(spec, pool.getSpec());
        return new PodBuilder()
                .withNewMetadata()
                .withName(name.toString())
                .withNamespace(pool.getMetadata().getNamespace())
                .withLabels(Map.of(
                        Labels.MANAGED_BY,
                        Labels.FIELD_MANAGER,
                        SandboxContract.POOL_LABEL,
                        name.pool(),
                        SandboxContract.ENTRY_LABEL,
                        name.entry(),
                        Labels.RUN,
                        pool.getSpec().runRef().name(),
                        Labels.RUN_NAMESPACE,
                        pool.getSpec().runRef().namespace()))
                .withAnnotations(Map.of(
                        SandboxContract.IMAGE_ANNOTATION,
                        demand.image(),
                        INDEX_ANNOTATION,
                        String.valueOf(name.index())))
                .withOwnerReferences(Labels.ownedBy(pool))
                .endMetadata()
                .withSpec(spec.build())
                .build();
    }
}
