package dev.tmax.tasks;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A part of a task with an instruction and tests of its own. Most tasks have one; the steps of the others follow one
 * another in the same sandbox.
 *
 * @param name the name of its folder; empty where it is the whole task
 * @param instruction what the agent is told, without canary lines
 * @param agent limits of the agent
 * @param verifier limits and settings of the tests
 * @param healthCheck tried before the agent begins, besides that of the environment
 * @param artifacts files that the step is to leave, beyond {@code /logs/artifacts}
 * @param minReward a reward below it, or none, ends the task with this step; empty: the task goes on with any reward
 * @param files tests, solution and files of the step
 */
public record Step(
        String name,
        String instruction,
        Agent agent,
        Verifier verifier,
        Optional<HealthCheck> healthCheck,
        List<Artifact> artifacts,
        OptionalDouble minReward,
        StepFiles files) {

    /** The script among {@link StepFiles#workdir} that is run before the agent begins. */
    public static final String SETUP = "setup.sh";

    public Step {
        artifacts = List.copyOf(artifacts);
    }
}
