package dev.tmax.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.List;
import java.util.Map;

/** Which sandbox pods a run may have, and which it wants. */
public record SandboxPoolSpec(
        @Required @JsonPropertyDescription("The run that the pods work for; the pool goes when it goes.")
        RunRef runRef,

        @Required @Min(1) @JsonPropertyDescription("Most pods at any time.")
        Integer maxPods,

        @Required @Min(1) @JsonPropertyDescription("Attempts that one pod hosts at the same time.")
        Integer attemptsPerPod,

        @Default("86400") @Min(60) @JsonPropertyDescription("Seconds after which a pod is replaced.")
        Long podDeadlineSeconds,

        @JsonPropertyDescription("CPU, memory and devices of each pod.")
        ResourceRequirements resources,

        @JsonPropertyDescription("Labels of the nodes that may run the pods.")
        Map<String, String> nodeSelector,

        @JsonPropertyDescription("Taints that the pods bear.")
        List<Toleration> tolerations,

        @JsonPropertyDescription("Finer rules of placement.")
        Affinity affinity,

        @JsonPropertyDescription("Runtime of the pods, for example gvisor.")
        String runtimeClassName,

        @JsonPropertyDescription("Priority of the pods.") String priorityClassName,

        @Size(max = 4096)
        @JsonPropertyDescription("Written by the trainer only, by server-side apply under its own field manager.")
        List<Demand> demand)
        implements PodOptions {

    /** The run that a pool works for. */
    public record RunRef(
            @Required @JsonPropertyDescription("Its namespace.")
            String namespace,

            @Required @JsonPropertyDescription("Its name.") String name,

            @Required @JsonPropertyDescription("Its uid: a later run of the same name is another run.")
            String uid) {}

    /** Attempts that one task image will have to host. */
    public record Demand(
            @Required
            @Size(min = 1, max = 40)
            @Pattern("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")
            @JsonPropertyDescription("Unique in the pool; part of the pods' names.")
            String name,

            @Required @Size(min = 1, max = 512) @JsonPropertyDescription("Image of the task.")
            String image,

            @Required @Min(0) @JsonPropertyDescription("Attempts at the same time.")
            Integer attempts,

            @Default("0") @Min(0) @JsonPropertyDescription("Step that needs them: earlier ones come first.")
            Integer step) {}
}
