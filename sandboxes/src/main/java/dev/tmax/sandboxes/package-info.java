/**
 * Single-use cells in which a model's commands run, and the verification of what it did there.
 *
 * <p>{@link dev.tmax.sandboxes.Sandbox} is one host of cells: a sandbox pod ({@code remote}) or this machine ({@code
 * local}). {@link dev.tmax.sandboxes.verify.Verification} turns a finished attempt into a reward.
 */
package dev.tmax.sandboxes;
