/** Cells on this machine. */
package dev.tmax.sandboxes.local;
