package dev.tmax.contracts.configuration;

import static dev.tmax.contracts.configuration.Check.require;
import static dev.tmax.contracts.configuration.Check.requirePositive;

/**
 * Tasks that are measured before the first and after the last step, and never trained on.
 *
 * @param path folder whose children are tasks
 * @param selection which of them; all where it is null
 * @param attempts episodes per task
 */
public record EvaluationSource(String path, String format, TaskSelection selection, int attempts) {

    public EvaluationSource {
        require(path != null && !path.isBlank(), "evaluation.path", path, "name a folder of tasks");
        format = format == null ? "Auto" : format;
        selection = selection == null ? TaskSelection.ALL : selection;
        requirePositive(attempts, "evaluation.attempts");
    }
}
