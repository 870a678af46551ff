package dev.tmax.e2e.apiserver;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tmax.contracts.status.RunStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The HTTP side of a trainer: serves the status that the test gives it, and notes what it is asked for. */
final class ServedTrainer implements AutoCloseable {

    private final HttpServer server;
    private final List<String> posts = new CopyOnWriteArrayList<>();
    private volatile RunStatus status;

    ServedTrainer(RunStatus first) {
        status = first;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/v1/status", exchange -> answer(exchange, 200, status.toJson()));
        server.createContext("/v1/drain", this::post);
        server.createContext("/v1/checkpoint", this::post);
        server.start();
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    void says(RunStatus next) {
        status = next;
    }

    RunStatus status() {
        return status;
    }

    /** {@code PATH AUTHORIZATION} of each request that wanted something. */
    List<String> posts() {
        return posts;
    }

    private void post(HttpExchange exchange) throws IOException {
        posts.add(exchange.getRequestURI().getPath() + " "
                + exchange.getRequestHeaders().getFirst("Authorization"));
        answer(exchange, 202, "{}");
    }

    private static void answer(HttpExchange exchange, int code, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(code, bytes.length);
        try (var out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
