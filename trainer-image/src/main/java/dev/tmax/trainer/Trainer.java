package dev.tmax.trainer;

import dev.tmax.contracts.configuration.InvalidConfigurationException;
import dev.tmax.contracts.configuration.Recipe;
import dev.tmax.contracts.configuration.RunConfiguration;
import dev.tmax.contracts.configuration.SandboxSource;
import dev.tmax.contracts.status.RunStatus.Phase;
import dev.tmax.model.ModelFolder;
import dev.tmax.model.Precision;
import dev.tmax.model.train.AdamW;
import dev.tmax.model.train.TrainingEngine;
import dev.tmax.model.train.TrainingOptions;
import dev.tmax.trainer.cells.Cells;
import dev.tmax.trainer.checkpoint.CheckpointStore;
import dev.tmax.trainer.checkpoint.Checkpointer;
import dev.tmax.trainer.checkpoint.StepHistory;
import dev.tmax.trainer.checkpoint.TrainerState;
import dev.tmax.trainer.dispatch.DispatchSettings;
import dev.tmax.trainer.dispatch.Dispatcher;
import dev.tmax.trainer.dispatch.RolloutService;
import dev.tmax.trainer.learn.Learner;
import dev.tmax.trainer.publish.WeightPublisher;
import dev.tmax.trainer.publish.WeightsService;
import dev.tmax.trainer.schedule.PromptSchedule;
import dev.tmax.trainer.schedule.UsableTasks;
import dev.tmax.trainer.serve.Requests;
import dev.tmax.trainer.serve.RolloutServer;
import dev.tmax.trainer.serve.Token;
import dev.tmax.trainer.serve.TrainerMetrics;
import dev.tmax.trainer.status.Progress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run from loading, or resuming, to its end. */
final class Trainer {

    private static final Logger LOG = LoggerFactory.getLogger(Trainer.class);
    private static final double EPSILON = 1e-8;

    /** Starts generators of this process's own, for runs without Kubernetes. */
    @FunctionalInterface
    interface OwnGenerators {
        /** @param port of the rollout server on the loopback interface */
        AutoCloseable start(RunConfiguration configuration, int port) throws IOException;
    }

    private final RunConfiguration configuration;
    private final int threads;
    private final Token token;
    private final Cells cells;
    private final Optional<OwnGenerators> ownGenerators;
    private final int rolloutPort;
    private final Progress progress;
    private final Requests requests;
    private final TrainerMetrics metrics;
    private volatile boolean serving;

    /** @param rolloutPort of the gRPC server; 0 for a free one */
    Trainer(
            RunConfiguration configuration,
            int threads,
            Token token,
            Cells cells,
            Optional<OwnGenerators> ownGenerators,
            int rolloutPort,
            Progress progress,
            Requests requests,
            TrainerMetrics metrics) {
        this.configuration = configuration;
        this.threads = threads;
        this.token = token;
        this.cells = cells;
        this.ownGenerators = ownGenerators;
        this.rolloutPort = rolloutPort;
        this.progress = progress;
        this.requests = requests;
        this.metrics = metrics;
    }

    /** Whether generators can connect. */
    boolean isServing() {
        return serving;
    }

    /**
     * Runs until asked to stop.
     *
     * @throws InvalidConfigurationException where the configuration cannot work, whatever is tried
     * @throws dev.tmax.model.ModelFormatException where the model or a checkpoint's weights cannot be used
     * @throws dev.tmax.tasks.UnreadableTaskSetException where there are no tasks
     */
    void run() throws Exception {
        long start = System.nanoTime();
        Recipe recipe = configuration.recipe();
        Learner.check(recipe);
        ModelFolder model = ModelFolder.open(Path.of(configuration.model().path()));
        checkLengths(model);
        DispatchSettings settings =
                DispatchSettings.of(configuration, model.configuration().vocabulary());
        progress.phase(Phase.LOADING, "reading the tasks");
        UsableTasks tasks = UsableTasks.load(
                "tasks.path",
                configuration.tasks().path(),
                configuration.tasks().format(),
                configuration.tasks().selection(),
                configuration,
                model);
        Optional<UsableTasks> heldOut = Optional.ofNullable(configuration.evaluation())
                .map(source -> UsableTasks.load(
                        "evaluation.path", source.path(), source.format(), source.selection(), configuration, model));
        progress.phase(Phase.LOADING, "loading the model");
        Path folder = Path.of(configuration.checkpoints().path());
        CheckpointStore store =
                new CheckpointStore(folder, configuration.checkpoints().keep(), Clock.systemUTC());
        try (TrainingEngine engine = TrainingEngine.open(model, options());
                Checkpointer checkpointer = checkpointer(store, engine)) {
            TrainerState state = resume(store, engine);
            PromptSchedule schedule =
                    new PromptSchedule(tasks.ids(), configuration.tasks().shuffleSeed(), state.schedule());
            Dispatcher dispatcher =
                    new Dispatcher(settings, schedule, tasks.byId(), cells, Clock.systemUTC(), processName());
            requests.onRequest(dispatcher::wake);
            progress.observe(dispatcher, cells);
            progress.spent(Progress.Activity.LOADING, (System.nanoTime() - start) / 1e9);
            try (WeightPublisher publisher =
                            new WeightPublisher(configuration.weightSync().mode(), dispatcher::publish);
                    Optionally<TrainingEngine> reference = reference(model)) {
                Learner learner = new Learner(recipe, engine, reference.value());
                TrainingLoop loop = new TrainingLoop(
                        new TrainingLoop.Parts(
                                configuration,
                                engine,
                                learner,
                                dispatcher,
                                publisher,
                                checkpointer,
                                new StepHistory(folder),
                                progress,
                                requests,
                                metrics,
                                from -> new PromptSchedule(
                                        tasks.ids(), configuration.tasks().shuffleSeed(), from)),
                        state);
                Measurements measurements = new Measurements(
                        heldOut.map(set -> List.copyOf(set.byId().values())).orElse(List.of()),
                        configuration.evaluation() == null
                                ? 1
                                : configuration.evaluation().attempts(),
                        folder,
                        dispatcher,
                        progress,
                        requests,
                        metrics);
                serve(dispatcher, publisher, loop, measurements, folder);
            }
        }
    }

    private void serve(
            Dispatcher dispatcher, WeightPublisher publisher, TrainingLoop loop, Measurements measurements, Path folder)
            throws Exception {
        WeightsService weights = new WeightsService(publisher);
        metrics.show(progress::status, weights::fullBytes, weights::patchBytes);
        metrics.showQueues(
                () -> dispatcher.snapshot().episodes(),
                () -> dispatcher.snapshot().openGroups(),
                () -> dispatcher.snapshot().waitingGroups());
        try (RolloutServer server = new RolloutServer(rolloutPort, token, new RolloutService(dispatcher), weights);
                ScheduledExecutorService ticks = Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().name("ticks").daemon().factory())) {
            cells.start(dispatcher);
            ticks.scheduleWithFixedDelay(() -> tick(dispatcher), 0, 1, TimeUnit.SECONDS);
            loop.publishNow();
            serving = true;
            LOG.info("run {} serves generators on port {}", configuration.run(), server.port());
            try (Optionally<AutoCloseable> own = startOwn(server.port())) {
                LOG.debug("generators of this process: {}", own.value().isPresent());
                new Lifecycle(loop, measurements, dispatcher, cells, progress, requests, folder).run();
            } finally {
                ticks.shutdownNow();
                cells.close();
            }
        }
    }

    private static void tick(Dispatcher dispatcher) {
        try {
            dispatcher.tick();
        } catch (RuntimeException e) {
            LOG.error("the dispatcher's housekeeping failed, again in a second", e);
        }
    }

    private Optionally<AutoCloseable> startOwn(int port) throws IOException {
        if (ownGenerators.isEmpty() || configuration.sandboxes().backend() != SandboxSource.Backend.LOCAL) {
            return Optionally.none();
        }
        return Optionally.of(ownGenerators.get().start(configuration, port));
    }

    private Checkpointer checkpointer(CheckpointStore store, TrainingEngine engine) throws IOException {
        progress.checkpoints(store.snapshots());
        int last = store.snapshots().stream()
                .mapToInt(snapshot -> snapshot.step())
                .max()
                .orElse(-1);
        return new Checkpointer(
                store, engine, configuration.checkpoints().exportHuggingFace(), last, progress::checkpoints);
    }

    private TrainerState resume(CheckpointStore store, TrainingEngine engine) throws IOException {
        Optional<CheckpointStore.Stored> newest = store.newest();
        TrainerState state = TrainerState.start(configuration.run());
        if (newest.isPresent()) {
            state = newest.get().state();
            if (!state.run().equals(configuration.run())) {
                throw new InvalidConfigurationException(
                        "checkpoints.path",
                        configuration.checkpoints().path(),
                        "it holds checkpoints of run '" + state.run() + "': give this run a folder of its own");
            }
            progress.phase(
                    Phase.LOADING, "resuming from " + newest.get().snapshot().name());
            engine.restore(newest.get().engine());
            LOG.info("run {} resumes after step {}", configuration.run(), state.step());
        }
        new StepHistory(Path.of(configuration.checkpoints().path())).cutAfter(state.step());
        return state;
    }

    private void checkLengths(ModelFolder model) {
        int positions = model.configuration().maxPositions();
        int prompt = configuration.model().maxPromptTokens();
        if (prompt > positions) {
            throw new InvalidConfigurationException(
                    "model.maxPromptTokens", prompt, "the model's context has " + positions + " tokens: use fewer");
        }
        if (configuration.model().maxSequenceTokens() > positions) {
            throw new InvalidConfigurationException(
                    "model.maxResponseTokens",
                    configuration.model().maxResponseTokens(),
                    "with a prompt of %d it does not fit the model's context of %d tokens: use at most %d"
                            .formatted(prompt, positions, positions - prompt));
        }
    }

    private TrainingOptions options() {
        Recipe recipe = configuration.recipe();
        Recipe.Optimizer optimizer = recipe.optimizer();
        return new TrainingOptions(
                recipe.precision().compute() == Recipe.Precision.Format.BF16 ? Precision.BF16 : Precision.FP32,
                recipe.precision().lmHead() == Recipe.Precision.Format.FP32,
                threads,
                new AdamW(optimizer.beta1(), optimizer.beta2(), EPSILON, optimizer.weightDecay()),
                recipe.sampling().temperature());
    }

    private Optionally<TrainingEngine> reference(ModelFolder model) {
        return configuration.recipe().klCoefficient() > 0
                ? Optionally.of(TrainingEngine.open(model, options()))
                : Optionally.none();
    }

    private static String processName() {
        return UUID.randomUUID().toString().substring(0, 6);
    }

    /** Final JSON of the run, beside its snapshots. */
    static void writeSummary(Path folder, String json) throws IOException {
        Files.write(folder.resolve("summary.json"), json.getBytes(StandardCharsets.UTF_8));
    }
}
