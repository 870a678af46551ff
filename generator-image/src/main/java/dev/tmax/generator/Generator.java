package dev.tmax.generator;

import com.sun.management.OperatingSystemMXBean;
import dev.tmax.contracts.configuration.Recipe;
import dev.tmax.contracts.configuration.RunConfiguration;
import dev.tmax.contracts.rollout.Applied;
import dev.tmax.contracts.rollout.FromGenerator;
import dev.tmax.contracts.rollout.GeneratorStatus;
import dev.tmax.contracts.rollout.Hello;
import dev.tmax.contracts.rollout.ToGenerator;
import dev.tmax.contracts.weights.WeightsGrpc;
import dev.tmax.generator.connect.Credentials;
import dev.tmax.generator.connect.Outbound;
import dev.tmax.generator.connect.StreamClosedException;
import dev.tmax.generator.connect.TrainerConnection;
import dev.tmax.generator.decode.Decoder;
import dev.tmax.generator.episode.Dialogue;
import dev.tmax.generator.episode.EpisodeContext;
import dev.tmax.generator.episode.Episodes;
import dev.tmax.generator.episode.SandboxHosts;
import dev.tmax.generator.episode.TaskCatalog;
import dev.tmax.generator.receive.Announcement;
import dev.tmax.generator.receive.WeightReceiver;
import dev.tmax.generator.serve.GeneratorMetrics;
import dev.tmax.model.ModelConfiguration;
import dev.tmax.model.ModelFolder;
import dev.tmax.model.Precision;
import dev.tmax.model.decode.DecodeEngine;
import dev.tmax.model.decode.DecodeOptions;
import dev.tmax.model.decode.DecodeStatistics;
import io.grpc.ManagedChannel;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A generator of a run: connects to the trainer, and works on the episodes that it is given until it is closed. Several
 * may live in one process.
 */
public final class Generator implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Generator.class);
    private static final Duration STATUS_EVERY = Duration.ofSeconds(5);
    private static final Duration CLEANING_UP = Duration.ofSeconds(5);
    private static final long NO_WEIGHTS = -1;

    private final GeneratorIdentity identity;
    private final ManagedChannel channel;
    private final Credentials credentials;
    private final GeneratorMetrics metrics;
    private final Decoder decoder;
    private final WeightReceiver receiver;
    private final Episodes episodes;
    private final TrainerConnection connection;
    private final Thread reporting;
    private volatile Outbound trainer;
    private volatile boolean ready;

    private Generator(
            RunConfiguration configuration,
            GeneratorIdentity identity,
            ManagedChannel channel,
            SandboxHosts hosts,
            GeneratorMetrics metrics) {
        this.identity = identity;
        this.channel = channel;
        this.metrics = metrics;
        this.credentials = new Credentials(
                Optional.ofNullable(configuration.endpoints().tokenPath()).map(Path::of));
        TaskCatalog tasks = TaskCatalog.load(configuration);
        ModelFolder model = ModelFolder.open(Path.of(configuration.model().path()));
        this.decoder =
                Decoder.open(() -> DecodeEngine.open(model, options(configuration, identity, model.configuration())));
        metrics.show(decoder::statistics);
        this.receiver = new WeightReceiver(identity.id(), decoder, metrics);
        Dialogue dialogue =
                new Dialogue(model, Optional.ofNullable(configuration.agent().systemPrompt()));
        this.episodes = new Episodes(new EpisodeContext(configuration, dialogue, tasks, decoder, hosts, metrics));
        this.connection = TrainerConnection.open(channel, credentials, hello(), new FromTrainer());
        this.reporting = Thread.ofVirtual().name("generator-status").start(this::report);
    }

    /**
     * Loads model and tasks, and begins to connect.
     *
     * @param channel to the trainer; the caller shuts it down after {@link #close}
     * @param hosts closed by the caller after {@link #close}
     * @throws dev.tmax.model.ModelFormatException where the model cannot be used
     * @throws dev.tmax.tasks.UnreadableTaskSetException where there are no tasks
     * @throws IllegalArgumentException where the configuration does not fit the model
     */
    public static Generator start(
            RunConfiguration configuration,
            GeneratorIdentity identity,
            ManagedChannel channel,
            SandboxHosts hosts,
            GeneratorMetrics metrics) {
        return new Generator(configuration, identity, channel, hosts, metrics);
    }

    private static DecodeOptions options(
            RunConfiguration configuration, GeneratorIdentity identity, ModelConfiguration model) {
        Recipe.Precision precision = configuration.recipe().precision();
        DecodeOptions options = new DecodeOptions(
                identity.slots(),
                configuration.model().maxSequenceTokens(),
                precision.compute() == Recipe.Precision.Format.BF16 ? Precision.BF16 : Precision.FP32,
                precision.lmHead() == Recipe.Precision.Format.FP32,
                identity.threads());
        return options.withCacheBytes(identity.cacheBytes()
                .orElseGet(() -> CacheMemory.remaining(
                        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class)
                                .getTotalMemorySize(),
                        Runtime.getRuntime().maxMemory(),
                        model,
                        options)));
    }

    private Hello hello() {
        return Hello.newBuilder()
                .setGeneratorId(identity.id())
                .setSlots(identity.slots())
                .setPolicyVersion(NO_WEIGHTS)
                .build();
    }

    /** Reacts to what the trainer says; hands everything that takes time to others. */
    private final class FromTrainer implements TrainerConnection.Listener {

        @Override
        public void opening() {
            // Another trainer may have other weights of the same version: what it announces comes first.
            decoder.hold();
        }

        @Override
        public void received(ToGenerator message, Outbound outbound) {
            trainer = outbound;
            switch (message.getMessageCase()) {
                case ANNOUNCE ->
                    receiver.announced(new Announcement(
                            message.getAnnounce(),
                            WeightsGrpc.newBlockingStub(channel).withInterceptors(credentials.now()),
                            applied -> applied(applied, outbound),
                            outbound::isOpen));
                case ASSIGN -> episodes.assign(message.getAssign(), outbound);
                case CANCEL -> {
                    LOG.info(
                            "episode {}: cancelled: {}",
                            message.getCancel().getEpisodeId(),
                            message.getCancel().getReason());
                    episodes.cancel(message.getCancel().getEpisodeId());
                }
                case DRAIN -> LOG.info("trainer: drains; {} episodes go on", episodes.active());
                case MESSAGE_NOT_SET -> LOG.warn("trainer: sent a message that is not known here: update the image");
            }
        }

        @Override
        public void closed() {
            ready = false;
            trainer = null;
            episodes.cancelAll();
        }
    }

    private void applied(Applied applied, Outbound outbound) {
        ready = outbound.isOpen();
        try {
            outbound.send(FromGenerator.newBuilder().setApplied(applied).build());
        } catch (StreamClosedException e) {
            LOG.debug("weights {}: their trainer is gone", applied.getPolicyVersion());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void report() {
        long tokens = 0;
        long time = System.nanoTime();
        try {
            while (true) {
                Thread.sleep(STATUS_EVERY);
                DecodeStatistics now = decoder.statistics();
                double rate = (now.generatedTokens() - tokens) / ((System.nanoTime() - time) / 1e9);
                tokens = now.generatedTokens();
                time = System.nanoTime();
                metrics.throughput(rate);
                Outbound outbound = trainer;
                if (outbound != null) {
                    outbound.offer(FromGenerator.newBuilder()
                            .setStatus(status(now, rate))
                            .build());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private GeneratorStatus status(DecodeStatistics now, double rate) {
        return GeneratorStatus.newBuilder()
                .setActiveEpisodes(episodes.active())
                .setTokensPerSecond(rate)
                .setTokens(now.generatedTokens())
                .setPromptTokens(now.prefillTokens())
                .setPromptTokensShared(now.reusedTokens())
                .build();
    }

    /** Tokens sampled since the start. */
    public long tokens() {
        return decoder.statistics().generatedTokens();
    }

    /** Whether it is connected and decodes with the trainer's weights. */
    public boolean isReady() {
        return ready;
    }

    /** Completes exceptionally where only a new process, or another configuration, can help. */
    public CompletableFuture<Void> failure() {
        CompletableFuture<Void> failure = new CompletableFuture<>();
        decoder.ended().whenComplete((nothing, e) -> complete(failure, e));
        receiver.failure().whenComplete((nothing, e) -> complete(failure, e));
        return failure;
    }

    private static void complete(CompletableFuture<Void> failure, Throwable cause) {
        if (cause != null) {
            failure.completeExceptionally(cause);
        }
    }

    /** Leaves the trainer, ends the episodes, and frees the model. */
    @Override
    public void close() {
        reporting.interrupt();
        connection.close();
        episodes.cancelAll();
        try {
            episodes.awaitEnd(CLEANING_UP);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        // The decoder first: it may be reading the state that the receiver frees.
        decoder.close();
        receiver.close();
    }
}
