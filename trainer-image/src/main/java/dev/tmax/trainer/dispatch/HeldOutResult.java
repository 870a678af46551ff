package dev.tmax.trainer.dispatch;

/**
 * A measurement on held-out tasks.
 *
 * @param mean reward over attempts that came to one
 * @param attempts that came to a reward
 * @param failed attempts that did not, after all tries
 */
public record HeldOutResult(double mean, int attempts, int failed) {}
