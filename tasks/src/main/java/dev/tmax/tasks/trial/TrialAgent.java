package dev.tmax.tasks.trial;

/** Who works on a task in a trial. */
public sealed interface TrialAgent {

    /** Runs the task's reference solution. */
    record Oracle() implements TrialAgent {}

    /** Does nothing. */
    record NoOp() implements TrialAgent {}

    /**
     * Gives the same commands to every step's shell.
     *
     * @param commands for bash
     */
    record Script(String commands) implements TrialAgent {}
}
