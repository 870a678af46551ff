package dev.tmax.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.model.annotation.SpecReplicas;
import java.util.List;
import java.util.Map;

/** The generator pods. */
public record GeneratorsSpec(
        @Default("2") @Min(0) @Max(10000) @SpecReplicas @JsonPropertyDescription("Generator pods.")
        Integer replicas,

        @Default("64") @Min(1) @JsonPropertyDescription("Episodes that one generator runs at the same time.")
        Integer maxEpisodes,

        @Min(1) @JsonPropertyDescription("Threads that compute; absent: the CPU limit, else 1.")
        Integer threads,

        @Pattern("^[1-9][0-9]*(\\.[0-9]+)?(k|M|G|T|Ki|Mi|Gi|Ti)?$")
        @JsonPropertyDescription(
                "Memory, such as 8Gi, for what one generator keeps of its episodes: keys and values, states, prompts. Where it is short, turns wait and episodes between turns are computed again. Absent: what the container's memory leaves beside the weights.")
        String cacheMemory,

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
