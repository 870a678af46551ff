/** The command {@code tasks}: validates, counts and indexes folders of tasks. */
package dev.tmax.tasks.cli;
