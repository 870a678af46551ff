package dev.tmax.tasks.trial;

import dev.tmax.sandboxes.CellTools;
import dev.tmax.sandboxes.CommandResult;
import dev.tmax.sandboxes.SandboxFailure;
import dev.tmax.sandboxes.tar.TarModes;
import dev.tmax.sandboxes.verify.Outcome;
import dev.tmax.tasks.Environment;
import dev.tmax.tasks.HealthCheck;
import dev.tmax.tasks.Step;
import dev.tmax.tasks.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Runs trials: for each step a cell on what the steps before changed, files and setup of the step, the agent, the tests. A
 * step that cannot be judged, or has less than its least reward, is the last one.
 */
public final class Trial {
    private static final Duration LONGEST = Duration.ofHours(2);
    private static final String OUTPUT = "/logs/agent/oracle.txt";

    private final Hosts hosts;
    private final NetworkPolicy policy;

    /**
     * @param hosts where environments run
     * @param policy what agents and tests may reach
     */
    public Trial(Hosts hosts, NetworkPolicy policy) {
        this.hosts = hosts;
        this.policy = policy;
    }

    /**
     * Runs a trial to its end.
     *
     * @throws NoHostException where the task's environment has no host
     * @throws InterruptedException where this thread was interrupted; no cell is left
     */
    public TrialResult run(Task task, TrialAgent agent) throws NoHostException, InterruptedException {
        Instant started = Instant.now();
        Host host = hosts.of(task.environment());
        String name = "trial-" + UUID.randomUUID();
        List<StepResult> results = new ArrayList<>();
        List<String> cells = new ArrayList<>();
        try {
            for (Step step : task.steps()) {
                Optional<String> base = cells.isEmpty() ? Optional.empty() : Optional.of(cells.getLast());
                cells.add(name + "-" + (cells.size() + 1));
                Workplace place = new Workplace(
                        host, task.environment(), cells.getLast(), step.agent().user());
                results.add(run(task, step, place, base, agent));
                if (isLast(step, results.getLast())) {
                    break;
                }
            }
        } finally {
            delete(host, cells.reversed());
        }
        return TrialResult.of(results, task.rewardStrategy(), Duration.between(started, Instant.now()));
    }

    private static boolean isLast(Step step, StepResult result) {
        double reward = result.reward().orElse(Double.NEGATIVE_INFINITY);
        return result.reward().isEmpty()
                || step.minReward().isPresent() && reward < step.minReward().getAsDouble();
    }

    private StepResult run(Task task, Step step, Workplace place, Optional<String> base, TrialAgent agent)
            throws NoHostException, InterruptedException {
        Optional<CommandResult> work = Optional.empty();
        Outcome outcome;
        try {
            place.create(base, policy.of(task.environment(), step.agent().network()));
            prepare(task.environment(), step, place, base.isEmpty());
            work = work(task, step, place, agent);
            outcome = new Judge(hosts, policy).judge(place, task.environment(), step);
        } catch (FailedStepException | IllegalArgumentException e) {
            outcome = new Outcome.VerifierFailed(e.getMessage(), "");
        } catch (SandboxFailure e) {
            if (e.reason() == SandboxFailure.Reason.INTERRUPTED) {
                throw new InterruptedException(e.getMessage());
            }
            outcome = new Outcome.InfraFailed(e.getMessage(), "");
        }
        return new StepResult(
                step.name(),
                outcome,
                work.map(CommandResult::output).orElse(""),
                work.map(Trial::note).orElse(""));
    }

    private static void prepare(Environment environment, Step step, Workplace place, boolean first)
            throws SandboxFailure, FailedStepException, InterruptedException {
        if (first) {
            Optional<byte[]> files = environment.environmentTar();
            if (files.isPresent()) {
                place.put(place.workdir(), files.get());
            }
            await(environment.healthCheck(), place);
        }
        Optional<byte[]> workdir = step.files().workdir();
        if (workdir.isPresent()) {
            place.put(place.workdir(), workdir.get());
        }
        if (step.files().hasSetup()) {
            CommandResult setup = place.run("setup", "bash ./" + Step.SETUP, environment.startTimeout());
            if (setup.exitCode() != 0) {
                throw new FailedStepException("steps/" + step.name() + "/workdir/" + Step.SETUP + " ended with status "
                        + setup.exitCode() + ": " + setup.output().strip());
            }
        }
        await(step.healthCheck(), place);
    }

    private static void await(Optional<HealthCheck> check, Workplace place)
            throws SandboxFailure, FailedStepException, InterruptedException {
        if (check.isPresent()) {
            place.await(check.get());
        }
    }

    private static Optional<CommandResult> work(Task task, Step step, Workplace place, TrialAgent agent)
            throws SandboxFailure, FailedStepException {
        Duration timeout = step.agent()
                .timeout()
                .filter(limit -> limit.compareTo(LONGEST) < 0)
                .orElse(LONGEST);
        return switch (agent) {
            case TrialAgent.NoOp _ -> Optional.empty();
            case TrialAgent.Script script -> Optional.of(place.run("script", script.commands(), timeout));
            case TrialAgent.Oracle _ -> {
                byte[] solution = step.files()
                        .solution()
                        .orElseThrow(() -> new FailedStepException("there is no reference solution to run"));
                place.put("/solution", TarModes.withExecutable(solution, "solve.sh"));
                yield Optional.of(place.run("oracle", solve(task), timeout));
            }
        };
    }

    /** Its output goes to a file, as in the format: what it leaves in the background may keep that open. */
    private static String solve(Task task) {
        String variables =
                Workplace.joined(Map.of("DEBIAN_FRONTEND", "noninteractive"), task.solutionVariables())
                        .entrySet()
                        .stream()
                        .map(variable -> variable.getKey() + "=" + Workplace.quoted(variable.getValue()) + " ")
                        .collect(Collectors.joining());
        return variables + "/solution/solve.sh >" + OUTPUT + " 2>&1; status=$?; " + CellTools.BUSYBOX + " tail -c 4000 "
                + OUTPUT + "; (exit $status)";
    }

    private static String note(CommandResult work) {
        if (work.timedOut()) {
            return "the agent was ended at its timeout";
        }
        return work.exitCode() == 0 ? work.notice() : "exit status " + work.exitCode();
    }

    private static void delete(Host host, List<String> cells) {
        boolean interrupted = Thread.interrupted();
        for (String cell : cells) {
            try {
                host.sandbox().deleteCell(cell);
            } catch (SandboxFailure e) {
                System.getLogger(Trial.class.getName())
                        .log(System.Logger.Level.WARNING, "cell {0} is left behind: {1}", cell, e.getMessage());
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
