package dev.tmax.tasks.cli;

import dev.tmax.tasks.UnreadableTaskSetException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code tasks}. Exit status: 0 for yes, 1 for tasks that cannot be used, 2 for a wrong call. */
@Command(
        name = "tasks",
        description = "Validates, counts and indexes folders of tasks.",
        mixinStandardHelpOptions = true,
        subcommands = {ValidateCommand.class, StatsCommand.class, IndexCommand.class})
public final class TasksCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say what to do: validate, stats or index");
    }

    /** The command, ready to be run; {@code execute} returns the exit status. */
    public static CommandLine commandLine() {
        return new CommandLine(new TasksCommand()).setExecutionExceptionHandler((failure, command, _) -> {
            if (failure instanceof UnreadableTaskSetException) {
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
