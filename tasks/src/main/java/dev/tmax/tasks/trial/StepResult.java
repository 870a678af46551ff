package dev.tmax.tasks.trial;

import dev.tmax.sandboxes.verify.Outcome;
import java.util.OptionalDouble;

/**
 * What came of a step.
 *
 * @param step its name; empty where it is the whole task
 * @param outcome of its verification, or why there was none
 * @param agentOutput what the agent's commands printed, shortened, for people
 * @param agentNote what was out of the ordinary with them, such as an exit status; empty for nothing
 */
public record StepResult(String step, Outcome outcome, String agentOutput, String agentNote) {

    OptionalDouble reward() {
        return outcome instanceof Outcome.Rewarded rewarded
                ? OptionalDouble.of(rewarded.reward())
                : OptionalDouble.empty();
    }

    /** The same outcome, for a person. */
    String summary() {
        String said = switch (outcome) {
            case Outcome.Rewarded rewarded -> "reward " + rewarded.reward();
            case Outcome.VerifierFailed failed -> "verifier failed: " + failed.reason();
            case Outcome.InfraFailed failed -> "sandbox failed: " + failed.reason();
        };
        return (step.isEmpty() ? "" : "step " + step + ": ") + said;
    }
}
