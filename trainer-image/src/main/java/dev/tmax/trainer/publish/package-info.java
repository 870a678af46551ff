/** Weights to generators: each version whole, and as the difference to the one before. */
package dev.tmax.trainer.publish;
