/**
 * State that survives the process: complete snapshots, the measurements on held-out tasks, and the history of steps. What
 * is half written is never believed.
 */
package dev.tmax.trainer.checkpoint;
