package dev.tmax.generator.serve;

import dev.tmax.contracts.configuration.RunConfiguration;
import dev.tmax.contracts.rollout.Finished;
import dev.tmax.model.decode.DecodeStatistics;
import dev.tmax.sandboxes.CommandResult;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** What a generator measures, labelled with namespace and run. */
public final class GeneratorMetrics {

    private final PrometheusRegistry registry;
    private final Labels labels;
    private final Counter episodes;
    private final Histogram episodeTokens;
    private final Histogram episodeSeconds;
    private final Histogram commandSeconds;
    private final Counter commandTimeouts;
    private final Histogram verifierSeconds;
    private final Gauge policyVersion;
    private final Counter weightBytes;
    private final Histogram weightSyncSeconds;
    private final Gauge tokensPerSecond;

    public GeneratorMetrics(PrometheusRegistry registry, RunConfiguration run) {
        this.registry = registry;
        this.labels = Labels.of("namespace", run.namespace(), "run", run.run());
        episodes = counter("episodes", "Episodes by what came of them.", "outcome");
        episodeTokens = histogram(
                "episode_tokens", "Tokens of an episode after its prompt.", 16, 64, 256, 1024, 4096, 16384, 65536);
        episodeSeconds =
                histogram("episode_seconds", "From assignment to outcome.", 0.5, 1, 2, 5, 10, 30, 60, 180, 600, 1800);
        commandSeconds =
                histogram("command_seconds", "A command in its cell.", 0.005, 0.02, 0.05, 0.1, 0.5, 1, 5, 30, 120);
        commandTimeouts = counter("command_timeouts", "Commands ended at their timeout.");
        verifierSeconds = histogram(
                "verifier_seconds", "Verification, its cell included.", 0.02, 0.05, 0.1, 0.5, 1, 5, 30, 120, 600);
        policyVersion = gauge("policy_version", "Version of the weights that decode now; -1 before the first.");
        policyVersion.set(-1);
        weightBytes = counter("weight_bytes", "Bytes of weights received.", "encoding");
        weightSyncSeconds = histogram(
                "weight_sync_seconds", "From an announcement to decoding with it.", 0.1, 0.5, 1, 2, 5, 10, 30, 120);
        tokensPerSecond = gauge("tokens_per_second", "Tokens sampled a second of late.");
    }

    private static String name(String name) {
        return "tmax_generator_" + name;
    }

    private Counter counter(String name, String help, String... labelNames) {
        return Counter.builder()
                .name(name(name))
                .help(help)
                .constLabels(labels)
                .labelNames(labelNames)
                .register(registry);
    }

    private Gauge gauge(String name, String help) {
        return Gauge.builder().name(name(name)).help(help).constLabels(labels).register(registry);
    }

    private Histogram histogram(String name, String help, double... bounds) {
        return Histogram.builder()
                .name(name(name))
                .help(help)
                .constLabels(labels)
                .classicOnly()
                .classicUpperBounds(bounds)
                .register(registry);
    }

    /** Shows a decoder's counts. To be called once. */
    public void show(Supplier<DecodeStatistics> decoder) {
        count(decoder, "tokens", "Tokens sampled.", DecodeStatistics::generatedTokens);
        count(decoder, "prompt_tokens", "Prompt and observation tokens computed.", DecodeStatistics::prefillTokens);
        count(
                decoder,
                "prompt_tokens_shared",
                "Prompt tokens taken from another of its group.",
                DecodeStatistics::reusedTokens);
        count(decoder, "decode_steps", "Steps of the batch.", DecodeStatistics::steps);
        read(decoder, "batch_sequences", "Sequences in the batch now.", DecodeStatistics::active);
        read(decoder, "batch_queued", "Sequences that wait for room in the caches.", DecodeStatistics::queued);
        read(decoder, "cache_bytes", "Keys, values, states and prompts that are kept.", DecodeStatistics::cacheBytes);
        count(
                decoder,
                "evictions",
                "Sequences that lost their cache between turns, to be computed again.",
                DecodeStatistics::evictions);
        read(decoder, "slots", "Most sequences at a time.", DecodeStatistics::slots);
        read(
                decoder,
                "batch_occupancy",
                "Share of the slots in the batch now.",
                now -> (double) now.active() / now.slots());
    }

    private void count(
            Supplier<DecodeStatistics> decoder, String name, String help, ToDoubleFunction<DecodeStatistics> value) {
        CounterWithCallback.builder()
                .name(name(name))
                .help(help)
                .constLabels(labels)
                .callback(callback -> callback.call(value.applyAsDouble(decoder.get())))
                .register(registry);
    }

    private void read(
            Supplier<DecodeStatistics> decoder, String name, String help, ToDoubleFunction<DecodeStatistics> value) {
        GaugeWithCallback.builder()
                .name(name(name))
                .help(help)
                .constLabels(labels)
                .callback(callback -> callback.call(value.applyAsDouble(decoder.get())))
                .register(registry);
    }

    public void episodeEnded(Finished finished, int responseTokens) {
        episodes.labelValues(finished.getOutcome().name().toLowerCase(Locale.ROOT))
                .inc();
        episodeTokens.observe(responseTokens);
        episodeSeconds.observe(finished.getEpisodeSeconds());
        if (finished.getVerifierSeconds() > 0) {
            verifierSeconds.observe(finished.getVerifierSeconds());
        }
    }

    public void commandEnded(CommandResult result) {
        commandSeconds.observe(result.duration().toNanos() / 1e9);
        if (result.timedOut()) {
            commandTimeouts.inc();
        }
    }

    public void weightsReceived(long bytes, boolean patch) {
        weightBytes.labelValues(patch ? "patch" : "full").inc(bytes);
    }

    public void weightsApplied(long version, double seconds) {
        policyVersion.set(version);
        weightSyncSeconds.observe(seconds);
    }

    public void throughput(double tokensASecond) {
        tokensPerSecond.set(tokensASecond);
    }

    PrometheusRegistry registry() {
        return registry;
    }
}
