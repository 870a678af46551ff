/** The learner: advantages, losses and their gradients as pure functions, and the step that applies them. */
package dev.tmax.trainer.learn;
