/** Where attempts run: claims on cells of sandbox pods, and the demand that makes the operator warm those pods. */
package dev.tmax.trainer.cells;
