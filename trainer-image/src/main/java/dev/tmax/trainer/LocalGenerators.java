package dev.tmax.trainer;

import dev.tmax.contracts.configuration.InvalidConfigurationException;
import dev.tmax.contracts.configuration.RunConfiguration;
import dev.tmax.generator.Generator;
import dev.tmax.generator.GeneratorIdentity;
import dev.tmax.generator.episode.SandboxHosts;
import dev.tmax.generator.serve.GeneratorMetrics;
import dev.tmax.sandboxes.local.LocalSandbox;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/** A generator in the trainer's own process, with cells on this machine: a whole run without Kubernetes. */
final class LocalGenerators implements Trainer.OwnGenerators {

    private final int slots;
    private final int threads;

    LocalGenerators(int slots, int threads) {
        this.slots = slots;
        this.threads = threads;
    }

    @Override
    public AutoCloseable start(RunConfiguration configuration, int port) throws IOException {
        String root = configuration.sandboxes().rootFileSystem();
        if (root == null || !Files.isDirectory(Path.of(root))) {
            throw new InvalidConfigurationException(
                    "sandboxes.rootFileSystem", root, "name a folder with a root file system, which cells see as /");
        }
        Path state = Files.createTempDirectory("tmax-cells");
        SandboxHosts hosts = new SandboxHosts(Optional.of(LocalSandbox.open(Path.of(root), state)));
        ManagedChannel channel =
                NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
        Generator generator = Generator.start(
                configuration,
                new GeneratorIdentity("local", slots, threads, OptionalLong.empty()),
                channel,
                hosts,
                new GeneratorMetrics(new PrometheusRegistry(), configuration));
        return () -> {
            generator.close();
            channel.shutdownNow();
            hosts.close();
        };
    }
}
