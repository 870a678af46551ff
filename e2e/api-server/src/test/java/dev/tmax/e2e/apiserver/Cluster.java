package dev.tmax.e2e.apiserver;

import dev.tmax.operator.OperatorRuntime;
import dev.tmax.operator.OperatorSettings;
import dev.tmax.operator.trainer.TrainerAddress;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** One API server and one operator for all tests; each test has a namespace of its own. */
public final class Cluster implements ParameterResolver {

    static final String SANDBOX_NAMESPACE = "tmax-sandboxes";
    static final String OPERATOR_NAMESPACE = "tmax-system";

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Running.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(ExtensionContext.Namespace.create(Cluster.class))
                .getOrComputeIfAbsent(Running.class);
    }

    /** The API server and the operator. */
    static final class Running implements AutoCloseable {

        private final ApiServer server;
        private final KubernetesClient client;
        private final Map<String, URI> trainers = new ConcurrentHashMap<>();
        private final AtomicInteger namespaces = new AtomicInteger();
        private OperatorRuntime operator;
        private KubernetesClient operatorClient;
        private String identity;

        Running() {
            try {
                server = new ApiServer();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            client = server.client();
            try {
                operator = startOperator("operator-0");
            } catch (RuntimeException e) {
                client.close();
                server.close();
                throw e;
            }
        }

        KubernetesClient client() {
            return client;
        }

        String newNamespace() {
            String name = "test-" + namespaces.incrementAndGet();
            client.resource(ApiServer.namespace(name)).create();
            return name;
        }

        /** Where the operator finds the trainer of a pod. */
        void serve(String namespace, String pod, URI trainer) {
            trainers.put(namespace + "/" + pod, trainer);
        }

        /** Another replica of the operator. */
        OperatorRuntime startOperator(String identity) {
            return startOperator(identity, server.address().toString());
        }

        private OperatorRuntime startOperator(String identity, String url) {
            KubernetesClient connection = server.operatorClient(url);
            this.identity = identity;
            this.operatorClient = connection;
            OperatorRuntime runtime = new OperatorRuntime(
                    connection,
                    settings(identity),
                    Clock.systemUTC(),
                    new ServedAddresses(),
                    new SimpleMeterRegistry(),
                    () -> {});
            runtime.start();
            return runtime;
        }

        /** The operator's process ends and another begins, as in an upgrade. */
        void restartOperator(String identity) {
            operator.close();
            operator = startOperator(identity);
            Await.until("the new operator leads", Await.SOON, operator::isLeading);
        }

        /** The operator ends and begins again in the same pod, with a proxy between it and the API server. */
        FaultProxy restartOperatorBehindProxy() {
            operator.close();
            FaultProxy proxy = new FaultProxy(server.address());
            operator = startOperator(identity, proxy.url());
            Await.until("the operator behind the proxy leads", Await.SOON, operator::isLeading);
            return proxy;
        }

        /**
         * The operator's process has been killed, which its proxy has made true for the API server, and its container is
         * started again in the same pod.
         */
        FaultProxy restartKilledOperator() {
            OperatorRuntime killed = operator;
            KubernetesClient dead = operatorClient;
            Thread.ofVirtual().start(() -> {
                dead.close();
                killed.close();
            });
            FaultProxy proxy = new FaultProxy(server.address());
            operator = startOperator(identity, proxy.url());
            return proxy;
        }

        OperatorRuntime operator() {
            return operator;
        }

        void replaceOperator(OperatorRuntime other) {
            operator = other;
        }

        private static OperatorSettings settings(String identity) {
            return new OperatorSettings(
                    new OperatorSettings.Images("trainer:1", "generator:1", "env-runner:1", "trainer:1"),
                    SANDBOX_NAMESPACE,
                    identity,
                    OPERATOR_NAMESPACE,
                    Duration.ofMillis(200),
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(6),
                    Duration.ofSeconds(4),
                    Duration.ofSeconds(2));
        }

        @Override
        public void close() {
            operator.close();
            client.close();
            server.close();
        }

        private final class ServedAddresses implements TrainerAddress {

            @Override
            public Optional<URI> of(Pod pod) {
                return Optional.ofNullable(trainers.get(pod.getMetadata().getNamespace() + "/"
                        + pod.getMetadata().getName()));
            }
        }
    }
}
