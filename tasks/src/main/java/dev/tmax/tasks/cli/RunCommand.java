package dev.tmax.tasks.cli;

import dev.tmax.sandboxes.verify.Outcome;
import dev.tmax.tasks.LoadedTaskSet;
import dev.tmax.tasks.Task;
import dev.tmax.tasks.build.BuildFailedException;
import dev.tmax.tasks.trial.NoHostException;
import dev.tmax.tasks.trial.StepResult;
import dev.tmax.tasks.trial.Trial;
import dev.tmax.tasks.trial.TrialAgent;
import dev.tmax.tasks.trial.TrialResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "run",
        description = "Runs an agent on each task once, on this machine, and says what its tests made of it."
                + " Exit status 0 wherever every task has a reward, whatever it is.",
        mixinStandardHelpOptions = true)
final class RunCommand implements Callable<Integer> {
    @Mixin
    private TaskFolder folder;

    @Mixin
    private ImageStore images;

    @Mixin
    private TrialPlace place;

    @Option(
            names = "--agent",
            paramLabel = "AGENT",
            required = true,
            description =
                    "oracle: the task's reference solution. noop: does nothing. script: the commands of --script.")
    private AgentName agent;

    @Option(names = "--script", paramLabel = "FILE", description = "Commands for bash, given to each step's shell.")
    private Optional<Path> script;

    @Option(names = "--verbose", description = "Also prints what agent and tests printed.")
    private boolean verbose;

    @Spec
    private CommandSpec spec;

    /** As written on the command line. */
    enum AgentName {
        oracle,
        noop,
        script
    }

    @Override
    public Integer call() throws IOException, BuildFailedException, InterruptedException {
        TrialAgent worker = worker();
        LoadedTaskSet set = folder.load();
        return place.run(images, folder.directory(), trial -> run(set, worker, trial));
    }

    private TrialAgent worker() throws IOException {
        return switch (agent) {
            case oracle -> new TrialAgent.Oracle();
            case noop -> new TrialAgent.NoOp();
            case script ->
                new TrialAgent.Script(Files.readString(script.orElseThrow(() -> new ParameterException(
                        spec.commandLine(), "--agent script needs the commands: --script FILE"))));
        };
    }

    private int run(LoadedTaskSet set, TrialAgent worker, Trial trial) throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        set.invalid().forEach(task -> out.println(task.name() + ": invalid: " + task.reason()));
        int without = set.invalid().size();
        for (Task task : set.tasks()) {
            try {
                TrialResult result = trial.run(task, worker);
                print(task, result, out);
                without += result.reward().isPresent() ? 0 : 1;
            } catch (NoHostException e) {
                out.println(task.id() + ": " + e.getMessage());
                without++;
            }
            out.flush();
        }
        return without == 0 ? 0 : 1;
    }

    private void print(Task task, TrialResult result, PrintWriter out) {
        out.printf(
                "%s: %s (%.1f s)%n",
                task.id(), said(result.outcome()), result.duration().toMillis() / 1000.0);
        for (StepResult step : result.steps()) {
            if (result.steps().size() > 1) {
                out.println("    step " + step.step() + ": " + said(step.outcome()));
            }
            if (!step.agentNote().isEmpty()) {
                out.println("    agent: " + step.agentNote());
            }
            if (verbose) {
                out.print(step.agentOutput().indent(8));
                out.print(step.outcome().testOutput().indent(8));
            }
        }
    }

    private static String said(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Rewarded rewarded -> "reward " + rewarded.reward();
            case Outcome.VerifierFailed failed -> "verifier failed: " + failed.reason();
            case Outcome.InfraFailed failed -> "sandbox failed: " + failed.reason();
        };
    }
}
