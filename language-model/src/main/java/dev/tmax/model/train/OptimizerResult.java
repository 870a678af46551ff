package dev.tmax.model.train;

/**
 * What an optimizer step did.
 *
 * @param gradientNorm global 2-norm of the scaled gradient before clipping; not finite if the step was skipped
 * @param clipFactor what the gradient was multiplied with to obey the maximum norm; 1 if it did already
 * @param applied false if the gradient was not finite: weights, moments and version are as before
 * @param version policy version after the call
 */
public record OptimizerResult(double gradientNorm, double clipFactor, boolean applied, long version) {}
