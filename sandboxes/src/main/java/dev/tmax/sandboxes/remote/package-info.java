/** Cells in a sandbox pod, through its env-runner. */
package dev.tmax.sandboxes.remote;
