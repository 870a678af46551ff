/**
 * Trials: an agent at work on a task in a sandbox, and what came of it. Two agents that need no model, the reference
 * solution and one that does nothing, tell whether a task can be used at all ({@link dev.tmax.tasks.trial.TaskCheck}).
 */
package dev.tmax.tasks.trial;
