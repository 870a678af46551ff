package dev.tmax.trainer.serve;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tmax.contracts.status.RunStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Metrics, health, status and requests over HTTP. Status, metrics and health are open; requests need the run's token.
 * None of them waits for the training loop.
 */
public final class HttpEndpoints implements AutoCloseable {

    private static final int MOST_AT_A_TIME = 32;

    private final ExecutorService handlers = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore room = new Semaphore(MOST_AT_A_TIME);
    private final HttpServer server;
    private final Token token;

    private record Answer(int code, String type, byte[] body) {

        static Answer text(int code, String text) {
            return new Answer(code, "text/plain; charset=utf-8", (text + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    @FunctionalInterface
    private interface Handler {
        Answer handle(HttpExchange exchange) throws IOException;
    }

    /**
     * @param port 0 for a free one
     * @param ready whether generators can be served, or there is a final state to be read
     */
    public HttpEndpoints(
            int port,
            Token token,
            Supplier<RunStatus> status,
            BooleanSupplier ready,
            Requests requests,
            TrainerMetrics metrics)
            throws IOException {
        this.token = token;
        server = HttpServer.create(new InetSocketAddress(port), MOST_AT_A_TIME);
        server.setExecutor(handlers);
        handle("/healthz", "GET", exchange -> Answer.text(200, "ok"));
        handle(
                "/readyz",
                "GET",
                exchange -> ready.getAsBoolean()
                        ? Answer.text(200, "ready")
                        : Answer.text(503, status.get().message()));
        handle(
                "/v1/status",
                "GET",
                exchange -> new Answer(
                        200, "application/json", status.get().toJson().getBytes(StandardCharsets.UTF_8)));
        handle("/metrics", "GET", exchange -> {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            String type = metrics.write(exchange.getRequestHeaders().getFirst("Accept"), out);
            return new Answer(200, type, out.toByteArray());
        });
        handle("/v1/checkpoint", "POST", authorized(requests::checkpoint, "a checkpoint follows the running step"));
        handle("/v1/drain", "POST", authorized(requests::drain, "draining; phase DRAINED follows in the status"));
        server.start();
    }

    private Handler authorized(Runnable request, String answer) {
        return exchange -> {
            if (!token.admits(exchange.getRequestHeaders().getFirst("Authorization"))) {
                return Answer.text(401, "authorization: give the bearer token of this run");
            }
            request.run();
            return Answer.text(202, answer);
        };
    }

    private void handle(String path, String method, Handler handler) {
        server.createContext(path, exchange -> {
            try (exchange) {
                if (!room.tryAcquire()) {
                    send(exchange, Answer.text(503, "busy; ask again"));
                    return;
                }
                try {
                    send(exchange, answer(exchange, path, method, handler));
                } finally {
                    room.release();
                }
            }
        });
    }

    private static Answer answer(HttpExchange exchange, String path, String method, Handler handler)
            throws IOException {
        if (!exchange.getRequestURI().getPath().equals(path)) {
            return Answer.text(404, "no such path");
        }
        if (!exchange.getRequestMethod().equals(method)) {
            return Answer.text(405, "use " + method);
        }
        return handler.handle(exchange);
    }

    private static void send(HttpExchange exchange, Answer answer) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", answer.type());
        exchange.sendResponseHeaders(answer.code(), answer.body().length);
        exchange.getResponseBody().write(answer.body());
    }

    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        handlers.shutdownNow();
    }
}
