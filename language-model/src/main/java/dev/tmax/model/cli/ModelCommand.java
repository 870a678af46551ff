package dev.tmax.model.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Entry of the commands on model folders. */
@Command(
        name = "model",
        mixinStandardHelpOptions = true,
        description = "Works with language models in Hugging Face layout.",
        subcommands = {
            InspectCommand.class,
            ImportCommand.class,
            ExportCommand.class,
            ChatCommand.class,
            ScoreCommand.class,
            ServeCommand.class,
            RandomCommand.class,
            BenchCommand.class
        })
public final class ModelCommand {
    private ModelCommand() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    /** Exit status: 0 done, 1 failed with one line on standard error, 2 misused. */
    static CommandLine commandLine() {
        return new CommandLine(new ModelCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((failure, line, result) -> {
                    line.getErr().println(failure.getMessage());
                    return CommandLine.ExitCode.SOFTWARE;
                });
    }
}
