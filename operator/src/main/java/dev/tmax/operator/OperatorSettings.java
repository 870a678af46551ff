package dev.tmax.operator;

import java.time.Duration;
import java.util.Map;

/**
 * What the operator is told by its environment.
 *
 * @param indexerImage image with {@code dev.tmax.tasks.cli.TasksCommand}
 * @param identity name of this replica in the leader's Lease
 * @param namespace namespace of the Lease
 * @param trainerPoll time between two questions to one trainer
 * @param orphanSweep time between two looks for what runs have left behind
 * @param drainGrace longest time that a trainer may take to drain before its pod is taken away
 * @param quotaPause time without another try after a quota refused a pod
 * @param longestRetry longest pause before a reconciliation that failed is tried again
 */
public record OperatorSettings(
        Images images,
        String sandboxNamespace,
        String identity,
        String namespace,
        Duration trainerPoll,
        Duration orphanSweep,
        Duration drainGrace,
        Duration quotaPause,
        Duration longestRetry) {

    private static final Duration TRAINER_POLL = Duration.ofSeconds(2);
    private static final Duration ORPHAN_SWEEP = Duration.ofSeconds(10);
    private static final Duration DRAIN_GRACE = Duration.ofSeconds(120);
    private static final Duration QUOTA_PAUSE = Duration.ofSeconds(30);
    private static final Duration LONGEST_RETRY = Duration.ofSeconds(60);

    /** Images of the pods. */
    public record Images(String trainer, String generator, String envRunner, String indexer) {}

    /** @throws IllegalArgumentException naming the variable that is missing */
    public static OperatorSettings fromEnvironment(Map<String, String> environment) {
        String trainer = required(environment, "TMAX_TRAINER_IMAGE");
        return new OperatorSettings(
                new Images(
                        trainer,
                        required(environment, "TMAX_GENERATOR_IMAGE"),
                        required(environment, "TMAX_ENV_RUNNER_IMAGE"),
                        environment.getOrDefault("TMAX_INDEXER_IMAGE", trainer)),
                environment.getOrDefault("TMAX_SANDBOX_NAMESPACE", "tmax-sandboxes"),
                required(environment, "POD_NAME"),
                required(environment, "POD_NAMESPACE"),
                TRAINER_POLL,
                ORPHAN_SWEEP,
                DRAIN_GRACE,
                QUOTA_PAUSE,
                LONGEST_RETRY);
    }

    private static String required(Map<String, String> environment, String variable) {
        String value = environment.get(variable);
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException("environment variable " + variable
                    + " is not set; the Helm chart sets it on the operator's container");
        }
        return value;
    }
}
