package dev.tmax.generator.episode;

import dev.tmax.sandboxes.CommandResult;
import java.time.Duration;

/** What an episode took so far. */
final class Effort {

    private final long start = System.nanoTime();
    private int commands;
    private int timeouts;
    private Duration commandTime = Duration.ZERO;

    void add(CommandResult command) {
        commands++;
        timeouts += command.timedOut() ? 1 : 0;
        commandTime = commandTime.plus(command.duration());
    }

    int commands() {
        return commands;
    }

    int timeouts() {
        return timeouts;
    }

    double commandSeconds() {
        return commandTime.toNanos() / 1e9;
    }

    double seconds() {
        return (System.nanoTime() - start) / 1e9;
    }
}
