package dev.tmax.generator.episode;

import dev.tmax.sandboxes.CommandResult;

/** What the model is shown of a command. */
final class Observation {

    private static final String SUBMISSION = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT";

    private Observation() {}

    /** Exit status and output; the sandbox has already cut a long output in the middle and said so there. */
    static String of(CommandResult result) {
        StringBuilder text = new StringBuilder("Exit status: ").append(result.exitCode());
        if (!result.notice().isEmpty()) {
            text.append('\n').append(result.notice());
        }
        String output = result.output().stripTrailing();
        return text.append(output.isEmpty() ? "\nNo output." : "\nOutput:\n" + output)
                .toString();
    }

    /** Whether the model declared with this command that it is done. */
    static boolean submits(CommandResult result) {
        return result.output().lines().findFirst().orElse("").strip().equals(SUBMISSION);
    }
}
