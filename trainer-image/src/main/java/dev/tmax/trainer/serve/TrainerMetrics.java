package dev.tmax.trainer.serve;

import dev.tmax.contracts.status.RunStatus;
import dev.tmax.trainer.status.StepRecord;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/** What a trainer measures, labelled with namespace and run and, where it says so, one bounded name. */
public final class TrainerMetrics {

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final Labels labels;
    private final Gauge step;
    private final Gauge reward;
    private final Gauge heldOutReward;
    private final Histogram stepSeconds;
    private final Histogram solveRate;
    private final Gauge difference;
    private final Gauge freshDifference;
    private final Gauge kl;
    private final Gauge ratio;
    private final Gauge dropped;
    private final Gauge entropy;
    private final Gauge gradientNorm;
    private final Gauge staleness;
    private final Gauge learningRate;
    private final Gauge loss;
    private final Gauge responseTokens;
    private final Counter groups;
    private final Counter failedAttempts;
    private final Counter replacedAttempts;
    private final Counter truncations;
    private final Counter tokens;
    private final Counter commands;
    private final Counter commandSeconds;
    private final Counter commandTimeouts;
    private final Counter skippedSteps;
    private final Counter guardrails;
    private final Histogram checkpointSeconds;

    public TrainerMetrics(String namespace, String run) {
        labels = Labels.of("namespace", namespace, "run", run);
        step = gauge("step", "Optimizer steps done.");
        reward = gauge("reward", "Mean reward of the newest step, groups without signal included.");
        heldOutReward = gauge(
                "held_out_reward", "Mean reward on held-out tasks, before the first or after the last step.", "when");
        stepSeconds = histogram(
                "step_seconds",
                "Seconds of a step by what the learner did.",
                new double[] {0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 1800},
                "phase");
        solveRate = histogram("solve_rate", "Mean reward of each group.", new double[] {
            0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.999, 1
        });
        difference = gauge(
                "log_probability_difference", "|log pi - log mu| over the tokens of the newest step.", "statistic");
        freshDifference = gauge(
                "log_probability_difference_fresh",
                "The same over tokens of the learner's own version: trainer-generator mismatch.",
                "statistic");
        kl = gauge("kl", "K3 estimate of KL(mu || pi), newest step.");
        ratio = gauge("ratio", "pi/mu over the tokens of the newest step.", "statistic");
        dropped = gauge("dropped_fraction", "Share of tokens without a part in the gradient, newest step.");
        entropy = gauge("entropy_nats", "Mean entropy of the learner at generated tokens, newest step.");
        gradientNorm = gauge("gradient_norm", "Global norm of the gradient, newest step.", "clipping");
        staleness = gauge("staleness_versions", "Learner's version minus the token's, newest step.", "statistic");
        learningRate = gauge("learning_rate", "Learning rate of the newest step.");
        loss = gauge("loss", "Policy loss of the newest step.");
        responseTokens = gauge("response_tokens", "Generated tokens of an attempt, newest step.", "statistic");
        groups = counter("groups", "Groups by what became of them.", "fate");
        failedAttempts = counter("failed_attempts", "Attempts without a reward, by what failed.", "kind");
        replacedAttempts = counter("replaced_attempts", "Attempts issued again.");
        truncations = counter("truncated_attempts", "Attempts cut at a limit.", "limit");
        tokens = counter("generated_tokens", "Generated tokens of groups that ended.");
        commands = counter("commands", "Commands run by attempts that ended.");
        commandSeconds = counter("command_seconds", "Seconds that those commands took.");
        commandTimeouts = counter("command_timeouts", "Commands ended at their timeout.");
        skippedSteps = counter("skipped_steps", "Steps whose loss or gradient was not finite.");
        guardrails = counter("guardrail_actions", "What guardrails did.", "signal");
        checkpointSeconds =
                histogram("checkpoint_seconds", "Seconds that the learner stood still for a checkpoint.", new double[] {
                    0.1, 0.5, 1, 2, 5, 10, 30, 60, 300
                });
    }

    /** Shows values that are read when somebody asks. To be called once. */
    public void show(Supplier<RunStatus> status, DoubleSupplier fullBytes, DoubleSupplier patchBytes) {
        read("policy_version", "Newest published weights.", () -> status.get().policyVersion());
        read("steps", "Optimizer steps wanted.", () -> status.get().steps());
        read(
                "tokens_per_second",
                "Generated tokens a second, over the last steps.",
                () -> status.get().tokensPerSecond());
        read(
                "generators",
                "Connected generators.",
                () -> status.get().generators().connected());
        read(
                "generators_current",
                "Generators with the newest weights.",
                () -> status.get().generators().current());
        read(
                "sandboxes_warming",
                "Sandbox pods that are not ready yet.",
                () -> status.get().sandboxes().warming());
        read(
                "sandboxes_ready",
                "Sandbox pods without an attempt.",
                () -> status.get().sandboxes().ready());
        read(
                "sandboxes_leased",
                "Sandbox pods with attempts.",
                () -> status.get().sandboxes().leased());
        read("weight_bytes_full", "Bytes of weights sent whole since start.", fullBytes);
        read("weight_bytes_patch", "Bytes of weights sent as patches since start.", patchBytes);
        GaugeWithCallback.builder()
                .name(name("phase"))
                .help("1 for the phase that the trainer is in.")
                .constLabels(labels)
                .labelNames("phase")
                .callback(callback -> {
                    RunStatus.Phase now = status.get().phase();
                    for (RunStatus.Phase phase : RunStatus.Phase.values()) {
                        callback.call(phase == now ? 1 : 0, phase.name().toLowerCase(Locale.ROOT));
                    }
                })
                .register(registry);
    }

    /** Shows queue depths. To be called once. */
    public void showQueues(DoubleSupplier episodes, DoubleSupplier openGroups, DoubleSupplier waitingGroups) {
        read("episodes_running", "Attempts that generators work on.", episodes);
        read("groups_open", "Groups under way.", openGroups);
        read("groups_waiting", "Complete groups that wait for the learner.", waitingGroups);
    }

    public void stepped(StepRecord record) {
        step.set(record.step());
        reward.set(record.reward());
        stepSeconds.labelValues("waiting").observe(record.seconds().waiting());
        stepSeconds.labelValues("forward_backward").observe(record.seconds().forwardBackward());
        stepSeconds.labelValues("optimizer").observe(record.seconds().optimizer());
        stepSeconds.labelValues("publishing").observe(record.seconds().publishing());
        stepSeconds.labelValues("total").observe(record.seconds().total());
        learned(record);
        rolledOut(record);
    }

    private void learned(StepRecord record) {
        var learning = record.learning();
        difference.labelValues("mean").set(learning.logProbDifference().mean());
        difference.labelValues("p99").set(learning.logProbDifference().p99());
        difference.labelValues("max").set(learning.logProbDifference().max());
        freshDifference.labelValues("mean").set(learning.fresh().mean());
        freshDifference.labelValues("max").set(learning.fresh().max());
        kl.set(learning.kl());
        ratio.labelValues("mean").set(learning.ratioMean());
        ratio.labelValues("max").set(learning.ratioMax());
        dropped.set(learning.droppedFraction());
        entropy.set(learning.entropy());
        staleness.labelValues("mean").set(learning.stalenessMean());
        staleness.labelValues("max").set(learning.stalenessMax());
        loss.set(learning.loss());
        if (record.skipped() == null) {
            gradientNorm.labelValues("before").set(record.gradientNorm());
            gradientNorm.labelValues("after").set(record.clippedNorm());
            learningRate.set(record.learningRate());
        } else {
            skippedSteps.inc();
        }
    }

    private void rolledOut(StepRecord record) {
        var rollouts = record.rollouts();
        for (int tenth = 0; tenth < rollouts.solveRates().size(); tenth++) {
            for (int i = 0; i < rollouts.solveRates().get(tenth); i++) {
                solveRate.observe(tenth / 10.0);
            }
        }
        groups.labelValues("trained").inc(rollouts.trained());
        groups.labelValues("filtered_all_zero").inc(rollouts.filteredAllZero());
        groups.labelValues("filtered_all_one").inc(rollouts.filteredAllOne());
        groups.labelValues("stale")
                .inc(rollouts.stale().values().stream()
                        .mapToInt(Integer::intValue)
                        .sum());
        groups.labelValues("failed").inc(rollouts.failed());
        failedAttempts.labelValues("verifier").inc(rollouts.verifierFailures());
        failedAttempts.labelValues("infrastructure").inc(rollouts.infrastructureFailures());
        replacedAttempts.inc(rollouts.replaced());
        rollouts.truncations()
                .forEach((limit, count) ->
                        truncations.labelValues(limit.toLowerCase(Locale.ROOT)).inc(count));
        responseTokens.labelValues("mean").set(rollouts.lengthMean());
        responseTokens.labelValues("max").set(rollouts.lengthMax());
        tokens.inc(rollouts.tokens());
        commands.inc(rollouts.commands());
        commandSeconds.inc(rollouts.commandSeconds());
        commandTimeouts.inc(rollouts.commandTimeouts());
    }

    /** @param when {@code before} or {@code after} */
    public void heldOut(String when, double mean) {
        heldOutReward.labelValues(when).set(mean);
    }

    public void guardrail(String signal) {
        guardrails.labelValues(signal).inc();
    }

    public void checkpointed(double seconds) {
        checkpointSeconds.observe(seconds);
    }

    /**
     * Writes all of it.
     *
     * @param accept header of the request; null for none
     * @return content type
     */
    String write(String accept, OutputStream out) throws IOException {
        ExpositionFormatWriter writer = ExpositionFormats.init().findWriter(accept);
        writer.write(out, registry.scrape());
        return writer.getContentType();
    }

    private static String name(String name) {
        return "tmax_trainer_" + name;
    }

    private Gauge gauge(String name, String help, String... labelNames) {
        return Gauge.builder()
                .name(name(name))
                .help(help)
                .constLabels(labels)
                .labelNames(labelNames)
                .register(registry);
    }

    private Counter counter(String name, String help, String... labelNames) {
        return Counter.builder()
                .name(name(name))
                .help(help)
                .constLabels(labels)
                .labelNames(labelNames)
                .register(registry);
    }

    private Histogram histogram(String name, String help, double[] bounds, String... labelNames) {
        return Histogram.builder()
                .name(name(name))
                .help(help)
                .constLabels(labels)
                .labelNames(labelNames)
                .classicOnly()
                .classicUpperBounds(bounds)
                .register(registry);
    }

    private void read(String name, String help, DoubleSupplier value) {
        GaugeWithCallback.builder()
                .name(name(name))
                .help(help)
                .constLabels(labels)
                .callback(callback -> callback.call(value.getAsDouble()))
                .register(registry);
    }
}
