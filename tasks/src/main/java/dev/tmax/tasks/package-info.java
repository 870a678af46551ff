/**
 * Tasks for terminal agents: what one is ({@link dev.tmax.tasks.Task}) and how a folder of them is read ({@link
 * dev.tmax.tasks.TaskSet}).
 */
package dev.tmax.tasks;
