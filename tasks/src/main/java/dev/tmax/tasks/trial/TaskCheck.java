package dev.tmax.tasks.trial;

import dev.tmax.sandboxes.verify.Outcome;
import dev.tmax.tasks.Task;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Whether a task can be trained on: its reference solution has to get the whole reward and doing nothing must not, under
 * the network policy of training.
 *
 * @param task its id
 * @param verdict what was found
 * @param reason why, for a person; empty where it can be used
 * @param oracle reward of the reference solution, where there was one
 * @param noOp reward of doing nothing, where there was one
 */
public record TaskCheck(String task, Verdict verdict, String reason, OptionalDouble oracle, OptionalDouble noOp) {

    /** What a check found. */
    public enum Verdict {
        /** Can be used; its tests work in a new cell on what the attempt changed. */
        USABLE,
        /** Doing nothing is not rewarded; there is no reference solution that could show more. */
        UNPROVEN,
        /** Cannot be used. */
        UNUSABLE,
        /** The sandbox failed, which says nothing about the task. */
        UNKNOWN
    }

    /**
     * Checks a task.
     *
     * @throws InterruptedException where this thread was interrupted
     */
    public static TaskCheck of(Task task, Trial trial) throws InterruptedException {
        try {
            TrialResult idle = trial.run(task, new TrialAgent.NoOp());
            Optional<TrialResult> solved =
                    task.hasSolution() ? Optional.of(trial.run(task, new TrialAgent.Oracle())) : Optional.empty();
            return of(task.id(), idle, solved);
        } catch (NoHostException e) {
            return new TaskCheck(
                    task.id(), Verdict.UNKNOWN, e.getMessage(), OptionalDouble.empty(), OptionalDouble.empty());
        }
    }

    static TaskCheck of(String task, TrialResult idle, Optional<TrialResult> solved) {
        OptionalDouble oracle = solved.map(TrialResult::reward).orElse(OptionalDouble.empty());
        Optional<String> lost = infraFailure("doing nothing", idle)
                .or(() -> solved.flatMap(result -> infraFailure("solution", result)));
        Verdict verdict = Verdict.UNUSABLE;
        String reason;
        if (lost.isPresent()) {
            verdict = Verdict.UNKNOWN;
            reason = lost.get();
        } else if (idle.reward().isEmpty()) {
            reason = "the tests give no reward to an attempt that does nothing: "
                    + last(idle).summary();
        } else if (idle.reward().getAsDouble() >= 1) {
            reason = "an attempt that does nothing gets the whole reward";
        } else if (solved.isEmpty()) {
            verdict = Verdict.UNPROVEN;
            reason = "there is no reference solution";
        } else if (oracle.isEmpty() || oracle.getAsDouble() < 1) {
            reason = "the reference solution does not get the whole reward: "
                    + last(solved.get()).summary() + said(last(solved.get()));
        } else {
            verdict = Verdict.USABLE;
            reason = "";
        }
        return new TaskCheck(task, verdict, reason, oracle, idle.reward());
    }

    private static StepResult last(TrialResult result) {
        return result.steps().getLast();
    }

    private static Optional<String> infraFailure(String what, TrialResult result) {
        return result.outcome() instanceof Outcome.InfraFailed failed
                ? Optional.of(what + ": " + failed.reason())
                : Optional.empty();
    }

    /** The end of what solution and tests printed: most often it says what is missing. */
    private static String said(StepResult step) {
        String note =
                step.agentNote().isEmpty() ? "" : "; solution: " + step.agentNote() + lastLine(step.agentOutput());
        return note
                + (step.outcome().testOutput().isBlank()
                        ? ""
                        : "; tests:" + lastLine(step.outcome().testOutput()));
    }

    private static String lastLine(String output) {
        return output.lines()
                .filter(line -> !line.isBlank())
                .reduce((_, last) -> last)
                .map(line -> " " + line.strip())
                .orElse("");
    }
}
