package dev.tmax.tasks.cli;

import dev.tmax.tasks.LoadedTaskSet;
import dev.tmax.tasks.Task;
import dev.tmax.tasks.build.BuildFailedException;
import dev.tmax.tasks.trial.TaskCheck;
import dev.tmax.tasks.trial.TaskCheck.Verdict;
import dev.tmax.tasks.trial.Trial;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "check",
        description =
                "Runs each task twice on this machine: with its reference solution, which has to get the reward 1, and"
                        + " with an agent that does nothing, which must not. Without the network, as in training: tests"
                        + " that install their tools from there show here. Needs root, crun and busybox-static. Exit"
                        + " status 0 only where no task is unusable.",
        mixinStandardHelpOptions = true)
final class CheckCommand implements Callable<Integer> {
    @Mixin
    private TaskFolder folder;

    @Mixin
    private ImageStore images;

    @Mixin
    private TrialPlace place;

    @Option(names = "--json", paramLabel = "FILE", description = "Also writes the result there.")
    private Optional<Path> json;

    @Spec
    private CommandSpec spec;

    private record Row(String task, String verdict, String reason, Double oracle, Double noOp) {
        static Row of(TaskCheck check) {
            return new Row(
                    check.task(),
                    CheckCommand.word(check.verdict()),
                    check.reason(),
                    boxed(check.oracle()),
                    boxed(check.noOp()));
        }

        private static Double boxed(OptionalDouble reward) {
            return reward.isPresent() ? reward.getAsDouble() : null;
        }
    }

    @Override
    public Integer call() throws IOException, BuildFailedException, InterruptedException {
        LoadedTaskSet set = folder.load();
        return place.run(images, folder.directory(), trial -> check(set, trial));
    }

    private int check(LoadedTaskSet set, Trial trial) throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        List<TaskCheck> checks = new ArrayList<>();
        set.invalid()
                .forEach(task -> checks.add(new TaskCheck(
                        task.name(), Verdict.UNUSABLE, task.reason(), OptionalDouble.empty(), OptionalDouble.empty())));
        checks.forEach(check -> print(check, out));
        for (Task task : set.tasks()) {
            TaskCheck check = TaskCheck.of(task, trial);
            checks.add(check);
            print(check, out);
        }
        json.ifPresent(file -> Json.write(Json.of(checks.stream().map(Row::of).toList()), file));
        for (Verdict verdict : Verdict.values()) {
            out.printf("%8d  %s%n", count(checks, verdict), word(verdict));
        }
        return count(checks, Verdict.UNUSABLE) + count(checks, Verdict.UNKNOWN) == 0 ? 0 : 1;
    }

    private static void print(TaskCheck check, PrintWriter out) {
        out.printf(
                "%-9s %s%s%n",
                word(check.verdict()), check.task(), check.reason().isEmpty() ? "" : ": " + check.reason());
        out.flush();
    }

    private static long count(List<TaskCheck> checks, Verdict verdict) {
        return checks.stream().filter(check -> check.verdict() == verdict).count();
    }

    private static String word(Verdict verdict) {
        return verdict.name().toLowerCase(Locale.ROOT);
    }
}
