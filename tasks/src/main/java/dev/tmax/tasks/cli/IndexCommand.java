package dev.tmax.tasks.cli;

import dev.tmax.tasks.LoadedTaskSet;
import dev.tmax.tasks.TaskSet;
import dev.tmax.tasks.UnreadableTaskSetException;
import dev.tmax.tasks.statistics.TaskSetStatistics;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "index",
        description =
                "Sums a task set up in at most 4096 bytes of JSON, the room that a container has for its last words."
                        + " Exit status 0 wherever that could be done, whatever is in the task set.",
        mixinStandardHelpOptions = true)
final class IndexCommand implements Callable<Integer> {
    @Mixin
    private TaskFolder folder;

    @Mixin
    private SelectionOptions selection;

    @Option(names = "--against", paramLabel = "DIR", description = "A reference set to look for in this one.")
    private Optional<Path> against;

    @Option(names = "--json", paramLabel = "FILE", required = true, description = "Where to write the summary.")
    private Path json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        String summary = summary();
        Json.write(summary, json);
        spec.commandLine().getOut().println(summary);
        return 0;
    }

    private String summary() {
        try {
            LoadedTaskSet set = folder.load().select(selection.selection());
            Optional<LoadedTaskSet> reference = against.map(path -> TaskSet.load(path, folder.format()));
            return IndexSummary.of(set, TaskSetStatistics.of(set, reference)).json();
        } catch (UnreadableTaskSetException unreadable) {
            return IndexSummary.unreadable(folder.directory(), folder.format(), unreadable)
                    .json();
        }
    }
}
