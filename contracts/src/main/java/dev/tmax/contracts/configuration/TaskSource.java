package dev.tmax.contracts.configuration;

import static dev.tmax.contracts.configuration.Check.require;

/**
 * The tasks to train on.
 *
 * @param path folder whose children are tasks
 * @param format {@code Harbor}, {@code TerminalBench} or {@code Auto}
 * @param selection which of them; all where it is null
 * @param shuffleSeed seed of the order in which tasks are taken
 */
public record TaskSource(String path, String format, TaskSelection selection, long shuffleSeed) {

    public TaskSource {
        require(path != null && !path.isBlank(), "tasks.path", path, "name a folder of tasks");
        format = format == null ? "Auto" : format;
        selection = selection == null ? TaskSelection.ALL : selection;
    }
}
