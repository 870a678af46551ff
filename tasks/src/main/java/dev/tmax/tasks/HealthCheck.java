package dev.tmax.tasks;

import java.time.Duration;

/**
 * A command that says when the sandbox is ready: its first success ends the check.
 *
 * @param command for {@code bash -c}, as the user of the image
 * @param interval between two tries
 * @param timeout of one try
 * @param startPeriod in which failures are free
 * @param startInterval between two tries in the start period
 * @param retries failures in a row, after the start period, that make the task fail without grading
 */
public record HealthCheck(
        String command,
        Duration interval,
        Duration timeout,
        Duration startPeriod,
        Duration startInterval,
        int retries) {}
