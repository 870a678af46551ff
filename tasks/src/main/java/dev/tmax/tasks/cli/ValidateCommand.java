package dev.tmax.tasks.cli;

import dev.tmax.tasks.InvalidTask;
import dev.tmax.tasks.LoadedTaskSet;
import dev.tmax.tasks.Problem;
import dev.tmax.tasks.statistics.LabelCounts;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "validate",
        description = "Says which tasks can be used and what is wrong with the others."
                + " Exit status 0 only where all can be used.",
        mixinStandardHelpOptions = true)
final class ValidateCommand implements Callable<Integer> {
    @Mixin
    private TaskFolder folder;

    @Option(names = "--json", paramLabel = "FILE", description = "Also writes the result there.")
    private Optional<Path> json;

    @Spec
    private CommandSpec spec;

    private record Report(String format, int tasks, String digest, List<InvalidTaskReport> invalid) {}

    @Override
    public Integer call() {
        LoadedTaskSet set = folder.load();
        PrintWriter out = spec.commandLine().getOut();
        for (InvalidTask task : set.invalid()) {
            out.println(task.path());
            for (Problem problem : task.problems()) {
                out.println("    " + problem);
            }
        }
        LabelCounts domains = LabelCounts.of(
                set.tasks().stream().map(task -> task.metadata().domain()).toList());
        domains.counts().forEach((domain, count) -> out.printf("%8d  %s%n", count, domain));
        if (domains.missing() > 0) {
            out.printf("%8d  (no domain)%n", domains.missing());
        }
        long unsolved = set.tasks().stream().filter(task -> !task.hasSolution()).count();
        out.printf(
                "%d tasks can be used (%s), %d without a reference solution; %d cannot%n",
                set.tasks().size(),
                set.format().title(),
                unsolved,
                set.invalid().size());
        json.ifPresent(file -> Json.write(
                Json.of(new Report(
                        set.format().title(), set.tasks().size(), set.digest(), InvalidTaskReport.of(set.invalid()))),
                file));
        return set.invalid().isEmpty() && !set.tasks().isEmpty() ? 0 : 1;
    }
}
