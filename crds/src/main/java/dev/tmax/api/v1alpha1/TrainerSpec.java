package dev.tmax.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.List;
import java.util.Map;

/** The trainer pod. */
public record TrainerSpec(
        @Min(1) @JsonPropertyDescription("Threads that compute; absent: the CPU limit, else 1.")
        Integer threads,

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

        @JsonPropertyDescription("Priority of the pods.") String priorityClassName)
        implements PodOptions {}
