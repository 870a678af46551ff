package dev.tmax.sandboxes;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A program to run directly in a cell, without its shell.
 *
 * @param arguments program and arguments; a name without a slash is searched in the PATH of the environment
 * @param user as in {@link CellSpec#user}
 * @param workdir absolute; {@code /} where it does not exist
 * @param environment beyond those of the image
 * @param timeout after which its processes are killed
 * @param outputLimit characters of output kept: the first and the last half of it
 * @param input its standard input
 */
public record ProcessRequest(
        List<String> arguments,
        String user,
        String workdir,
        Map<String, String> environment,
        Duration timeout,
        int outputLimit,
        byte[] input) {

    private static final byte[] NOTHING = {};

    public ProcessRequest {
        arguments = List.copyOf(arguments);
        environment = Map.copyOf(environment);
        Objects.requireNonNull(user, "user");
        Objects.requireNonNull(workdir, "workdir");
        Objects.requireNonNull(input, "input");
        if (arguments.isEmpty()) {
            throw new IllegalArgumentException("arguments: name at least the program");
        }
        Bounds.requireTimeout(timeout);
        Bounds.requireOutputLimit(outputLimit);
    }

    /** With empty standard input. */
    public ProcessRequest(
            List<String> arguments,
            String user,
            String workdir,
            Map<String, String> environment,
            Duration timeout,
            int outputLimit) {
        this(arguments, user, workdir, environment, timeout, outputLimit, NOTHING);
    }

    public ProcessRequest withInput(byte[] newInput) {
        return new ProcessRequest(arguments, user, workdir, environment, timeout, outputLimit, newInput);
    }
}
