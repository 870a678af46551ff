/** What the run looks like from outside: phase, progress, counts and times. */
package dev.tmax.trainer.status;
