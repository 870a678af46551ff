package dev.tmax.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.List;
import java.util.Map;

/** Where tasks are and how they are read. */
public record TaskSetSpec(
        @Required @JsonPropertyDescription("Image or claim that holds the tasks.")
        Source source,

        @Size(max = 1024)
        @Pattern(Paths.BELOW)
        @JsonPropertyDescription("Folder within the source whose children are tasks, relative; absent: its root.")
        String path,

        @Default("Auto") @JsonPropertyDescription("Format of the tasks.")
        Format format,

        @JsonPropertyDescription("Labels of the tasks that are taken; absent: all tasks.")
        Filter filter,

        @JsonPropertyDescription("One of two parts without a common task; absent: all tasks.")
        Split split,

        @JsonPropertyDescription("Tasks to look for in this set, such as a benchmark's: status.contaminated counts"
                + " tasks that share 13 words in a row with one of them.")
        Benchmark contaminationCheck,

        @Default("{}") @JsonPropertyDescription("Pod that reads the tasks.")
        Indexing indexing) {

    /** A task is taken when each list that is given names its label. */
    public record Filter(
            @Size(max = 64) @JsonPropertyDescription("Domains, or Terminal-Bench categories.")
            List<String> domains,

            @Size(max = 64) @JsonPropertyDescription("Difficulties.")
            List<String> difficulties,

            @Size(max = 64) @JsonPropertyDescription("Languages.")
            List<String> languages) {}

    /** One of two parts; a task's name and the seed alone say in which part it is. */
    public record Split(
            @Required @JsonPropertyDescription("The part meant.")
            Part part,

            @Default("10") @Min(1) @Max(99) @JsonPropertyDescription("Of a hundred tasks, held out on average.")
            Integer heldOutPercent,

            @Default("0") @JsonPropertyDescription("Another seed divides in another way.")
            Long seed) {}

    /** The two parts. */
    public enum Part {
        @JsonProperty("Train")
        TRAIN,
        @JsonProperty("HeldOut")
        HELD_OUT
    }

    /** Tasks that must not be in a set. */
    public record Benchmark(
            @Required @JsonPropertyDescription("Image or claim that holds them.")
            Source source,

            @Size(max = 1024)
            @Pattern(Paths.BELOW)
            @JsonPropertyDescription("Folder within the source whose children are tasks, relative; absent: its root.")
            String path) {}

    /** Exactly one place of tasks. */
    @ValidationRule(
            value = "has(self.image) != has(self.persistentVolumeClaim)",
            message = "source needs exactly one of image and persistentVolumeClaim; give one of them")
    public record Source(
            @Size(min = 1, max = 512) @JsonPropertyDescription("OCI image that holds the tasks.")
            String image,

            @JsonPropertyDescription("Claim that holds the tasks.")
            CheckpointsSpec.ClaimName persistentVolumeClaim) {}

    /** Format of the tasks. */
    public enum Format {
        @JsonProperty("Harbor")
        HARBOR,
        @JsonProperty("TerminalBench")
        TERMINAL_BENCH,
        @JsonProperty("Auto")
        AUTO
    }

    /** Pod that reads the tasks. */
    public record Indexing(
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

            @JsonPropertyDescription("Priority of the pods.")
            String priorityClassName)
            implements PodOptions {}
}
