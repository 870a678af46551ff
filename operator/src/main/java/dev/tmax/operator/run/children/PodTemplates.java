package dev.tmax.operator.run.children;

import dev.tmax.api.v1alpha1.PodOptions;
import dev.tmax.api.v1alpha1.TaskSetSpec;
import dev.tmax.contracts.sandbox.SandboxContract;
import io.fabric8.kubernetes.api.model.CapabilitiesBuilder;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ContainerPortBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.PodSecurityContextBuilder;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.ProbeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.SecurityContextBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What the pods of trainer, generators and indexing Jobs have in common. */
public final class PodTemplates {

    static final String PULL_POLICY = "IfNotPresent";
    static final int HTTP_PORT = 9090;

    private static final long USER = 10_001L;

    private PodTemplates() {}

    /** Pod without privileges, as an ordinary user, placed as the options say. */
    public static PodTemplateSpec pod(
            Map<String, String> labels,
            String serviceAccount,
            boolean serviceAccountToken,
            PodOptions options,
            long graceSeconds,
            Container container,
            List<Volume> volumes) {
        PodSpecBuilder spec = new PodSpecBuilder()
                .withServiceAccountName(serviceAccount)
                .withAutomountServiceAccountToken(serviceAccountToken)
                .withEnableServiceLinks(false)
                .withTerminationGracePeriodSeconds(graceSeconds)
                .withSecurityContext(podSecurity())
                .withContainers(container)
                .withVolumes(volumes);
        place(spec, options);
        return new PodTemplateSpecBuilder()
                .withNewMetadata()
                .withLabels(labels)
                .endMetadata()
                .withSpec(spec.build())
                .build();
    }

    /** Puts a pod where the options say. */
    public static void place(PodSpecBuilder spec, PodOptions options) {
        spec.withNodeSelector(options.nodeSelector() == null ? Map.of() : options.nodeSelector())
                .withTolerations(options.tolerations() == null ? List.of() : options.tolerations())
                .withAffinity(options.affinity())
                .withRuntimeClassName(options.runtimeClassName())
                .withPriorityClassName(options.priorityClassName());
    }

    static Container container(
            String name,
            String image,
            PodOptions options,
            List<EnvVar> environment,
            List<VolumeMount> mounts,
            int... ports) {
        ContainerBuilder container = new ContainerBuilder()
                .withName(name)
                .withImage(image)
                .withImagePullPolicy(PULL_POLICY)
                .withArgs("--config", Mounts.CONFIGURATION + "/" + Mounts.CONFIGURATION_FILE)
                .withEnv(environment)
                .withResources(options.resources())
                .withSecurityContext(containerSecurity())
                .withVolumeMounts(mounts)
                .withStartupProbe(probe("/healthz", 2, 150))
                .withLivenessProbe(probe("/healthz", 20, 6))
                .withReadinessProbe(probe("/readyz", 2, 3));
        for (int port : ports) {
            container.addToPorts(new ContainerPortBuilder()
                    .withName(port == HTTP_PORT ? "http" : "rollout")
                    .withContainerPort(port)
                    .withProtocol("TCP")
                    .build());
        }
        return container.build();
    }

    static List<EnvVar> environment(Integer threads, PodOptions options) {
        List<EnvVar> environment = new ArrayList<>();
        environment.add(field("POD_NAME", "metadata.name"));
        environment.add(field("POD_NAMESPACE", "metadata.namespace"));
        environment.add(field("POD_UID", "metadata.uid"));
        environment.add(value("HOME", "/tmp"));
        environment.add(value("TMAX_THREADS", String.valueOf(threads == null ? threads(options) : threads)));
        return environment;
    }

    static EnvVar value(String name, String value) {
        return new EnvVarBuilder().withName(name).withValue(value).build();
    }

    private static EnvVar field(String name, String path) {
        return new EnvVarBuilder()
                .withName(name)
                .withNewValueFrom()
                .withNewFieldRef()
                .withFieldPath(path)
                .endFieldRef()
                .endValueFrom()
                .build();
    }

    /** Threads for the CPU limit, rounded up; one where there is no limit. */
    private static int threads(PodOptions options) {
        if (options.resources() == null || options.resources().getLimits() == null) {
            return 1;
        }
        return Optional.ofNullable(options.resources().getLimits().get("cpu"))
                .map(Quantity::getNumericalAmount)
                .map(cpus -> Math.max(1, cpus.setScale(0, RoundingMode.CEILING).intValue()))
                .orElse(1);
    }

    private static Probe probe(String path, int periodSeconds, int failures) {
        return new ProbeBuilder()
                .withNewHttpGet()
                .withPath(path)
                .withNewPort(HTTP_PORT)
                .endHttpGet()
                .withPeriodSeconds(periodSeconds)
                .withTimeoutSeconds(10)
                .withFailureThreshold(failures)
                .build();
    }

    static PodSecurityContext podSecurity() {
        return new PodSecurityContextBuilder()
                .withRunAsNonRoot(true)
                .withRunAsUser(USER)
                .withRunAsGroup(USER)
                .withFsGroup(USER)
                .withFsGroupChangePolicy("OnRootMismatch")
                .withNewSeccompProfile()
                .withType("RuntimeDefault")
                .endSeccompProfile()
                .build();
    }

    public static SecurityContext containerSecurity() {
        return new SecurityContextBuilder()
                .withAllowPrivilegeEscalation(false)
                .withReadOnlyRootFilesystem(true)
                .withCapabilities(new CapabilitiesBuilder().withDrop("ALL").build())
                .build();
    }

    /** Configuration and secrets in one volume, since nothing can be mounted inside a read-only one. */
    static Volume configuration(String configMap, String secret, boolean withSandboxKey) {
        List<KeyToPath> items = new ArrayList<>();
        items.add(new KeyToPath(Credentials.TOKEN, null, Mounts.TOKEN));
        if (withSandboxKey) {
            items.add(new KeyToPath(SandboxContract.SECRET_KEY, null, Mounts.SANDBOX_TOKEN_KEY));
        }
        return new VolumeBuilder()
                .withName("configuration")
                .withNewProjected()
                .withDefaultMode(0440)
                .addNewSource()
                .withNewConfigMap()
                .withName(configMap)
                .addNewItem(Mounts.CONFIGURATION_FILE, null, Mounts.CONFIGURATION_FILE)
                .endConfigMap()
                .endSource()
                .addNewSource()
                .withNewSecret()
                .withName(secret)
                .withItems(items)
                .endSecret()
                .endSource()
                .endProjected()
                .build();
    }

    static Volume model(References.Model model) {
        return switch (model) {
            case References.Model.InImage inImage -> image("model", inImage.image());
            case References.Model.OnClaim onClaim -> claim("model", onClaim.claim(), true);
        };
    }

    /** Volume with the tasks of a set. */
    public static Volume tasks(String name, TaskSetSpec.Source source) {
        return source.image() != null
                ? image(name, source.image())
                : claim(name, source.persistentVolumeClaim().claimName(), true);
    }

    static Volume image(String name, String reference) {
        return new VolumeBuilder()
                .withName(name)
                .withNewImage()
                .withReference(reference)
                .withPullPolicy(PULL_POLICY)
                .endImage()
                .build();
    }

    static Volume claim(String name, String claim, boolean readOnly) {
        return new VolumeBuilder()
                .withName(name)
                .withNewPersistentVolumeClaim()
                .withClaimName(claim)
                .withReadOnly(readOnly ? true : null)
                .endPersistentVolumeClaim()
                .build();
    }

    public static Volume scratch(String name) {
        return new VolumeBuilder()
                .withName(name)
                .withNewEmptyDir()
                .endEmptyDir()
                .build();
    }

    public static VolumeMount mount(String name, String path, boolean readOnly) {
        return new VolumeMountBuilder()
                .withName(name)
                .withMountPath(path)
                .withReadOnly(readOnly ? true : null)
                .build();
    }

    /** Labels of the pods of a component; more than its selector needs. */
    static Map<String, String> podLabels(RunNames names, String component) {
        Map<String, String> labels = new TreeMap<>(names.labels(component));
        labels.put("app.kubernetes.io/name", "tmax-" + component);
        return labels;
    }
}
