package dev.tmax.tasks.cli;

import dev.tmax.tasks.LoadedTaskSet;
import dev.tmax.tasks.TaskSet;
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
        name = "stats",
        description = "Counts tasks by label, and finds duplicates and overlap with another set.",
        mixinStandardHelpOptions = true)
final class StatsCommand implements Callable<Integer> {
    @Mixin
    private TaskFolder folder;

    @Option(
            names = "--against",
            paramLabel = "DIR",
            description = "A reference set: says how much of the instructions occurs there too.")
    private Optional<Path> against;

    @Option(names = "--json", description = "Prints JSON instead of a table.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        LoadedTaskSet set = folder.load();
        Optional<LoadedTaskSet> reference = against.map(path -> TaskSet.load(path, folder.format()));
        TaskSetStatistics statistics = TaskSetStatistics.of(set, reference);
        spec.commandLine().getOut().println(json ? Json.of(StatsReport.of(statistics)) : StatsTable.of(statistics));
        return 0;
    }
}
