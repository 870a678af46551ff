package dev.tmax.tasks.cli;

import dev.tmax.tasks.UnreadableTaskSetException;
import dev.tmax.tasks.build.BuildFailedException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code tasks}. Exit status: 0 for yes, 1 for tasks that cannot be used, 2 for a wrong call. */
@Command(
        name = "tasks",
        header = "Tasks for terminal agents: Harbor (task.toml) and Terminal-Bench 1 (task.yaml).",
        description = "DIR is a folder of tasks or the folder of one task, everywhere.",
        footer = {
            "",
            "From a folder of tasks to one that can be trained on:",
            "  tasks validate DIR                     what is wrong with the files, by file, line and key",
            "  tasks build DIR                        images from the Dockerfiles",
            "  tasks check DIR                        solutions get 1, doing nothing gets 0, without the network",
            "  tasks run DIR --agent oracle --verbose what solution and tests print",
            "  tasks stats DIR --against OTHER        balance, duplicates, overlap with an evaluation set",
            "",
            "Exit status: 0 yes, 1 tasks that cannot be used, 2 a wrong call."
        },
        mixinStandardHelpOptions = true,
        subcommands = {
            ValidateCommand.class,
            BuildCommand.class,
            CheckCommand.class,
            RunCommand.class,
            StatsCommand.class,
            IndexCommand.class
        })
public final class TasksCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say what to do: validate, build, check, run, stats or index");
    }

    /** The command, ready to be run; {@code execute} returns the exit status. */
    public static CommandLine commandLine() {
        return new CommandLine(new TasksCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((failure, command, _) -> {
                    if (failure instanceof UnreadableTaskSetException || failure instanceof BuildFailedException) {
                        command.getErr().println("tasks: " + failure.getMessage());
                        return 1;
                    }
                    throw failure;
                });
    }

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }
}
