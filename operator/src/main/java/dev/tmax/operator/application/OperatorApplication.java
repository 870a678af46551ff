package dev.tmax.operator.application;

import dev.tmax.operator.ApiServerConnection;
import dev.tmax.operator.OperatorRuntime;
import dev.tmax.operator.OperatorSettings;
import dev.tmax.operator.trainer.TrainerAddress;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Clock;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Puts the operator into Quarkus, which brings health, metrics and logs. */
@ApplicationScoped
@Readiness
public class OperatorApplication implements HealthCheck {

    private static final int LOST_LEASE = 3;

    private final MeterRegistry registry;
    private KubernetesClient client;
    private OperatorRuntime runtime;

    OperatorApplication(MeterRegistry registry) {
        this.registry = registry;
    }

    void start(@Observes StartupEvent event) {
        client = ApiServerConnection.open(Config.autoConfigure(null));
        runtime = new OperatorRuntime(
                client,
                OperatorSettings.fromEnvironment(System.getenv()),
                Clock.systemUTC(),
                TrainerAddress.byPodIp(),
                registry,
                // Another replica may be at work already: end at once, without a last word.
                () -> Runtime.getRuntime().halt(LOST_LEASE));
        runtime.start();
    }

    void stop(@Observes ShutdownEvent event) {
        if (runtime != null) {
            runtime.close();
        }
        if (client != null) {
            client.close();
        }
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("caches")
                .status(runtime != null && runtime.isReady())
                .withData("leader", runtime != null && runtime.isLeading())
                .build();
    }
}
