package dev.tmax.generator;

import dev.tmax.contracts.configuration.ConfigurationFile;
import dev.tmax.contracts.configuration.RunConfiguration;
import dev.tmax.generator.episode.SandboxHosts;
import dev.tmax.generator.serve.GeneratorMetrics;
import dev.tmax.generator.serve.HttpEndpoint;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The generator's process: {@code --config FILE}, and from the environment {@code POD_NAME} (its id; default: the host's
 * name), {@code TMAX_SLOTS} (episodes at a time; default 32), {@code TMAX_THREADS} (default 1) and {@code
 * TMAX_CACHE_BYTES} (bytes for what is kept of the episodes; default: what the memory leaves beside the weights).
 */
public final class GeneratorMain {

    private static final Logger LOG = LoggerFactory.getLogger(GeneratorMain.class);

    private GeneratorMain() {}

    /** Runs until it is told to end, or fails for good. */
    public static void main(String[] arguments) throws InterruptedException {
        int status;
        try {
            status = run(configuration(arguments), identity(System.getenv()));
        } catch (IOException | RuntimeException e) {
            LOG.error("generator: cannot start: {}", e.getMessage());
            LOG.debug("generator: cannot start", e);
            status = 1;
        }
        Runtime.getRuntime().halt(status);
    }

    private static RunConfiguration configuration(String[] arguments) throws IOException {
        if (arguments.length != 2 || !arguments[0].equals("--config")) {
            throw new IllegalArgumentException("use: generator --config FILE");
        }
        return ConfigurationFile.read(Path.of(arguments[1]));
    }

    private static GeneratorIdentity identity(Map<String, String> environment) throws IOException {
        String id =
                environment.getOrDefault("POD_NAME", InetAddress.getLocalHost().getHostName());
        return new GeneratorIdentity(
                id,
                Math.toIntExact(number(environment, "TMAX_SLOTS").orElse(32)),
                Math.toIntExact(number(environment, "TMAX_THREADS").orElse(1)),
                number(environment, "TMAX_CACHE_BYTES"));
    }

    private static OptionalLong number(Map<String, String> environment, String name) {
        String value = environment.getOrDefault(name, "");
        try {
            return value.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(value));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + ": '" + value + "' is no number", e);
        }
    }

    private static int run(RunConfiguration configuration, GeneratorIdentity identity)
            throws IOException, InterruptedException {
        GeneratorMetrics metrics = new GeneratorMetrics(new PrometheusRegistry(), configuration);
        AtomicReference<Generator> generator = new AtomicReference<>();
        try (SandboxHosts hosts = new SandboxHosts(Optional.empty());
                HttpEndpoint endpoint = HttpEndpoint.open(
                        configuration.endpoints().httpPort(), metrics, () -> unready(generator.get()))) {
            LOG.info(
                    "generator {}: run {}/{}, {} slots, {} threads, HTTP port {}",
                    identity.id(),
                    configuration.namespace(),
                    configuration.run(),
                    identity.slots(),
                    identity.threads(),
                    endpoint.port());
            ManagedChannel channel = NettyChannelBuilder.forAddress(
                            configuration.endpoints().trainerHost(),
                            configuration.endpoints().rolloutPort())
                    .usePlaintext()
                    // A node that is gone says nothing: without asking, TCP would notice after a quarter of an hour.
                    .keepAliveTime(30, TimeUnit.SECONDS)
                    .keepAliveTimeout(20, TimeUnit.SECONDS)
                    .build();
            try (Generator running = Generator.start(configuration, identity, channel, hosts, metrics)) {
                generator.set(running);
                Thread main = Thread.currentThread();
                Runtime.getRuntime().addShutdownHook(new Thread(() -> end(main)));
                running.failure().get();
                return 0;
            } catch (ExecutionException e) {
                LOG.error("generator {}: failed for good", identity.id(), e.getCause());
                return 1;
            } catch (InterruptedException e) {
                LOG.info("generator {}: told to end", identity.id());
                return 0;
            } finally {
                channel.shutdownNow().awaitTermination(5, TimeUnit.SECONDS);
            }
        }
    }

    /** The process is gone once its shutdown hooks return. */
    private static void end(Thread main) {
        main.interrupt();
        try {
            main.join(Duration.ofSeconds(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Optional<String> unready(Generator generator) {
        if (generator == null) {
            return Optional.of("loading model and tasks");
        }
        return generator.isReady() ? Optional.empty() : Optional.of("waiting for the trainer's weights");
    }
}
