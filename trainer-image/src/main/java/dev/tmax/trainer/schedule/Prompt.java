package dev.tmax.trainer.schedule;

/**
 * One place in the order of the run: a task to be attempted by a whole group.
 *
 * @param number counts all prompts of the run from 0; the same task has another number in the next pass
 */
public record Prompt(long number, String taskId) {}
