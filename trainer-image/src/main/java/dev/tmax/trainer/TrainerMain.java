package dev.tmax.trainer;

import dev.tmax.contracts.configuration.ConfigurationFile;
import dev.tmax.contracts.configuration.Endpoints;
import dev.tmax.contracts.configuration.InvalidConfigurationException;
import dev.tmax.contracts.configuration.RunConfiguration;
import dev.tmax.contracts.configuration.SandboxSource;
import dev.tmax.contracts.status.RunStatus.Phase;
import dev.tmax.model.ModelFormatException;
import dev.tmax.tasks.UnreadableTaskSetException;
import dev.tmax.trainer.cells.Cells;
import dev.tmax.trainer.cells.LocalCells;
import dev.tmax.trainer.cells.PoolCells;
import dev.tmax.trainer.serve.HttpEndpoints;
import dev.tmax.trainer.serve.Requests;
import dev.tmax.trainer.serve.Token;
import dev.tmax.trainer.serve.TrainerMetrics;
import dev.tmax.trainer.status.Progress;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The trainer's process: {@code --config FILE}. Ends on SIGTERM, after a checkpoint, and on failures that a new process
 * may not meet. What a new process would meet again it reports as phase FAILED, and stays up so that it can be read.
 */
public final class TrainerMain {

    private static final Logger LOG = LoggerFactory.getLogger(TrainerMain.class);
    private static final int API_TIMEOUT_MILLIS = 10_000;
    private static final long STOP_SECONDS = 25;

    private TrainerMain() {}

    public static void main(String[] arguments) {
        Requests requests = new Requests();
        CountDownLatch ended = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            requests.stop();
            try {
                if (!ended.await(STOP_SECONDS, TimeUnit.SECONDS)) {
                    LOG.warn("ending without a checkpoint of the newest steps: it took too long");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            // SIGTERM is how the operator ends a trainer: not an error.
            Runtime.getRuntime().halt(0);
        }));
        try {
            run(configurationPath(arguments), requests);
            ended.countDown();
        } catch (Throwable failure) {
            LOG.error("the trainer ends: {}", failure.getMessage(), failure);
            Runtime.getRuntime().halt(1);
        }
    }

    private static Path configurationPath(String[] arguments) {
        if (arguments.length != 2 || !arguments[0].equals("--config")) {
            throw new IllegalArgumentException("usage: TrainerMain --config FILE");
        }
        return Path.of(arguments[1]);
    }

    private static void run(Path file, Requests requests) throws Exception {
        RunConfiguration configuration;
        try {
            configuration = ConfigurationFile.read(file);
        } catch (InvalidConfigurationException e) {
            Progress progress = new Progress(0);
            try (HttpEndpoints http = new HttpEndpoints(
                    Endpoints.DEFAULT.httpPort(),
                    Token.none(),
                    progress::status,
                    () -> true,
                    requests,
                    new TrainerMetrics("unknown", "unknown"))) {
                fail(progress, requests, e);
            }
            return;
        }
        run(configuration, requests);
    }

    private static void run(RunConfiguration configuration, Requests requests) throws Exception {
        Progress progress = new Progress(configuration.recipe().steps());
        TrainerMetrics metrics = new TrainerMetrics(configuration.namespace(), configuration.run());
        String tokenPath = configuration.endpoints().tokenPath();
        Token token = tokenPath == null ? Token.none() : Token.read(Path.of(tokenPath));
        try (Optionally<KubernetesClient> client = client(configuration);
                Cells cells = cells(configuration, client.value())) {
            Trainer trainer = new Trainer(
                    configuration,
                    number("TMAX_THREADS", 1),
                    token,
                    cells,
                    Optional.of(new LocalGenerators(number("TMAX_SLOTS", 32), number("TMAX_THREADS", 1))),
                    configuration.endpoints().rolloutPort(),
                    progress,
                    requests,
                    metrics);
            try (HttpEndpoints http = new HttpEndpoints(
                    configuration.endpoints().httpPort(),
                    token,
                    progress::status,
                    () -> trainer.isServing() || progress.phase() == Phase.FAILED,
                    requests,
                    metrics)) {
                LOG.info("run {} of {}: HTTP on port {}", configuration.run(), configuration.namespace(), http.port());
                try {
                    trainer.run();
                } catch (InvalidConfigurationException | ModelFormatException | UnreadableTaskSetException e) {
                    fail(progress, requests, e);
                }
            }
        }
    }

    private static void fail(Progress progress, Requests requests, RuntimeException problem)
            throws InterruptedException {
        LOG.error("the run cannot be trained: {}", problem.getMessage());
        progress.phase(Phase.FAILED, problem.getMessage());
        requests.awaitStop();
    }

    private static Optionally<KubernetesClient> client(RunConfiguration configuration) {
        if (configuration.sandboxes().backend() == SandboxSource.Backend.LOCAL) {
            return Optionally.none();
        }
        return Optionally.of(new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder()
                        .withConnectionTimeout(API_TIMEOUT_MILLIS)
                        .withRequestTimeout(API_TIMEOUT_MILLIS)
                        .withRequestRetryBackoffLimit(2)
                        .build())
                .build());
    }

    private static Cells cells(RunConfiguration configuration, Optional<KubernetesClient> client) throws IOException {
        SandboxSource source = configuration.sandboxes();
        return switch (source.backend()) {
            case LOCAL -> new LocalCells(source.attemptsPerPod());
            case POOL ->
                new PoolCells(
                        source,
                        Files.readAllBytes(Path.of(source.tokenKeyPath())),
                        configuration.namespace() + "/" + configuration.run(),
                        client.orElseThrow());
        };
    }

    private static int number(String variable, int otherwise) {
        String value = System.getenv().getOrDefault(variable, "");
        try {
            return value.isEmpty() ? otherwise : Math.max(1, Integer.parseInt(value));
        } catch (NumberFormatException e) {
            throw new InvalidConfigurationException(variable, value, "give a whole number above 0");
        }
    }
}
