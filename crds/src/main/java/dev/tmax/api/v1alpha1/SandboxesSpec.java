package dev.tmax.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.List;
import java.util.Map;

/** The sandbox pods, in which the model's commands run. */
public record SandboxesSpec(
        @Default("Cell")
        @JsonPropertyDescription(
                "What separates attempts: Cell makes one container per attempt inside the pod of its task image.")
        Isolation isolation,

        @Default("64") @Min(1) @Max(10000) @JsonPropertyDescription("Most sandbox pods of the run.")
        Integer maxPods,

        @Min(1) @JsonPropertyDescription("Attempts that one pod hosts at the same time; absent: recipe.groupSize.")
        Integer attemptsPerPod,

        @Min(1)
        @JsonPropertyDescription(
                "Attempts after which a pod is given back and replaced by a fresh one, once its last attempt has ended;"
                        + " absent: 1000. A pod is also given back when nine tenths of podDeadlineSeconds are over.")
        Integer retireAfterAttempts,

        @Default("2") @Min(0) @JsonPropertyDescription("Steps ahead for which pods are warmed.")
        Integer lookaheadSteps,

        @JsonPropertyDescription(
                "What tasks that ask for a network may reach; absent: nothing, name resolution included.")
        Network network,

        @Default("86400") @Min(60) @JsonPropertyDescription("Seconds after which a sandbox pod is replaced.")
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

        @JsonPropertyDescription("Priority of the pods.") String priorityClassName)
        implements PodOptions {

    /** What leaves the sandbox pods of a run. A task whose network is denied reaches nothing in any case. */
    public record Network(
            @Required @Size(min = 1, max = 64) @JsonPropertyDescription("The addresses that may be reached.")
            List<Destination> allow) {}

    /** Some addresses at some ports. The node's metadata address is never among them. */
    public record Destination(
            @Required
            @Size(max = 64)
            @JsonPropertyDescription("Addresses, for example 203.0.113.0/24.")
            @ValidationRule(
                    value = "isCIDR(self)",
                    messageExpression =
                            "'cidr: ' + self + ' is no block of addresses; write one such as 203.0.113.0/24'")
            @ValidationRule(
                    value = "!isCIDR(self) || !cidr('169.254.0.0/16').containsCIDR(cidr(self))",
                    messageExpression =
                            "'cidr: ' + self + ' is link-local, where nodes keep their credentials; leave it out'")
            String cidr,

            @Required
            @Size(min = 1, max = 32)
            @JsonPropertyDescription("TCP and UDP ports.")
            @ValidationRule(
                    value = "self.all(port, port >= 1 && port <= 65535)",
                    message = "ports: a port is not usable; write numbers from 1 to 65535")
            List<Integer> ports) {}

    /** What separates attempts. */
    public enum Isolation {
        @JsonProperty("Cell")
        CELL
    }
}
