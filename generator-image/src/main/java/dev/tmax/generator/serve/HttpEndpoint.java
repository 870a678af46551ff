package dev.tmax.generator.serve;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** {@code /metrics}, {@code /healthz} and {@code /readyz}. */
public final class HttpEndpoint implements AutoCloseable {

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private HttpEndpoint(HttpServer server) {
        this.server = server;
    }

    /**
     * Begins to serve.
     *
     * @param port 0 for any free one
     * @param unready why it does no work yet; empty once it does
     */
    public static HttpEndpoint open(int port, GeneratorMetrics metrics, Supplier<Optional<String>> unready)
            throws IOException {
        HttpEndpoint endpoint = new HttpEndpoint(HttpServer.create(new InetSocketAddress(port), 16));
        endpoint.server.setExecutor(endpoint.threads);
        endpoint.server.createContext("/metrics", exchange -> {
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            PrometheusTextFormatWriter.create().write(text, metrics.registry().scrape());
            answer(exchange, 200, PrometheusTextFormatWriter.CONTENT_TYPE, text.toByteArray());
        });
        endpoint.server.createContext("/healthz", exchange -> state(exchange, Optional.empty()));
        endpoint.server.createContext("/readyz", exchange -> state(exchange, unready.get()));
        endpoint.server.start();
        return endpoint;
    }

    public int port() {
        return server.getAddress().getPort();
    }

    private static void state(HttpExchange exchange, Optional<String> problem) throws IOException {
        byte[] text = (problem.orElse("ok") + "\n").getBytes(StandardCharsets.UTF_8);
        answer(exchange, problem.isEmpty() ? 200 : 503, "text/plain; charset=utf-8", text);
    }

    private static void answer(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
