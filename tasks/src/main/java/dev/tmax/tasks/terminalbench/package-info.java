/**
 * Tasks in the format of Terminal-Bench 1 ({@code task.yaml}, {@code docker-compose.yaml}, {@code run-tests.sh}, {@code
 * tests/}), read as the same kind of task as the others. What cannot be mapped is reported by name.
 */
package dev.tmax.tasks.terminalbench;
