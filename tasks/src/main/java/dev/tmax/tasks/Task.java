package dev.tmax.tasks;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One task: what the agent is told, where it works and how the result is judged.
 *
 * @param id unique in its set: {@code [task].name}, else the name of its folder
 * @param directory the folder it was read from
 * @param format what it was written in
 * @param environment the sandbox
 * @param steps at least one; most tasks have exactly one
 * @param rewardStrategy how the rewards of several steps make one
 * @param metadata labels, for statistics and filters only
 * @param solutionVariables environment variables of the reference solution
 * @param digest SHA-256, in hex, of instruction, configuration, environment, tests and solution
 */
public record Task(
        String id,
        Path directory,
        TaskFormat format,
        Environment environment,
        List<Step> steps,
        RewardStrategy rewardStrategy,
        Metadata metadata,
        Map<String, String> solutionVariables,
        String digest)
        implements ReadTask {

    public Task {
        steps = List.copyOf(steps);
        solutionVariables = Map.copyOf(solutionVariables);
        if (steps.isEmpty()) {
            throw new IllegalArgumentException("task " + id + ": steps is empty; a task has at least one");
        }
    }

    /** All that the agent is told; instructions of several steps with a blank line between. */
    public String instruction() {
        return steps.stream().map(Step::instruction).collect(Collectors.joining("\n\n"));
    }

    /** Limits of the agent in the first step. */
    public Agent agent() {
        return steps.getFirst().agent();
    }

    /** Limits and settings of the tests of the first step. */
    public Verifier verifier() {
        return steps.getFirst().verifier();
    }

    /** The tests of the first step as a tar archive, its root being {@code /tests}. */
    public byte[] testsTar() {
        return steps.getFirst().files().tests();
    }

    /** Whether every step has a reference solution. */
    public boolean hasSolution() {
        return steps.stream().map(Step::files).allMatch(StepFiles::hasSolution);
    }

    /**
     * What a trial of this task needs beyond one cell, in which the agent works once and the tests run once after it; in
     * words. Empty for most tasks.
     */
    public List<String> demands() {
        List<String> demands = new ArrayList<>();
        if (!steps.getFirst().name().isEmpty()) {
            demands.add("steps");
        }
        if (steps.stream().anyMatch(step -> step.verifier().mode() == Verifier.Mode.SEPARATE)) {
            demands.add("a verifier with an environment of its own");
        }
        if (steps.stream().anyMatch(step -> !step.verifier().collect().isEmpty())) {
            demands.add("commands that collect results after the agent");
        }
        if (environment.healthCheck().isPresent()
                || steps.stream().anyMatch(step -> step.healthCheck().isPresent())) {
            demands.add("a health check");
        }
        return List.copyOf(demands);
    }
}
