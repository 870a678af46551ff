package dev.tmax.tasks.cli;

import dev.tmax.tasks.LoadedTaskSet;
import dev.tmax.tasks.TaskFormat;
import dev.tmax.tasks.TaskSet;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** The folder that a command is about, and what is in it. */
final class TaskFolder {
    @Parameters(paramLabel = "DIR", description = "A folder of tasks, or the folder of one task.")
    private Path directory;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "What the tasks are written in: Harbor, TerminalBench or Auto (default).",
            defaultValue = "Auto",
            converter = FormatConverter.class)
    private TaskFormat format;

    Path directory() {
        return directory;
    }

    TaskFormat format() {
        return format;
    }

    LoadedTaskSet load() {
        return TaskSet.load(directory, format);
    }

    static final class FormatConverter implements ITypeConverter<TaskFormat> {
        @Override
        public TaskFormat convert(String value) {
            return Arrays.stream(TaskFormat.values())
                    .filter(format -> format.title().equalsIgnoreCase(value))
                    .findAny()
                    .orElseThrow(() -> new TypeConversionException("'" + value + "' is no format; write "
                            + Arrays.stream(TaskFormat.values())
                                    .map(TaskFormat::title)
                                    .collect(Collectors.joining(", "))));
        }
    }
}
