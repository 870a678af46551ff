/** What attempts become: trajectories, complete groups, the batch of a step, and when a group may be admitted to it. */
package dev.tmax.trainer.buffer;
