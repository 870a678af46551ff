/**
 * The trainer of a run: the only one who decides which attempt is made, with which weights, and what counts. Packages in
 * the order of the data: schedule, dispatch (with cells), buffer, learn, publish, checkpoint; beside them status and
 * serve.
 */
package dev.tmax.trainer;
