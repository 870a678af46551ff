package dev.tmax.operator.trainer;

import dev.tmax.contracts.status.RunStatus;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** HTTP client of a trainer. Every call ends within a few seconds. */
final class TrainerClient implements AutoCloseable {

    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final Duration WHOLE = Duration.ofSeconds(5);
    private static final int OK_BELOW = 300;

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .build();

    /** @throws IOException where the trainer does not answer, or with something else than a status */
    RunStatus status(URI trainer) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(trainer.resolve("/v1/status"))
                .timeout(WHOLE)
                .GET()
                .build();
        HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
        requireOk(request, response);
        try {
            return RunStatus.fromJson(response.body());
        } catch (IllegalArgumentException e) {
            throw new IOException(request.uri() + ": " + e.getMessage(), e);
        }
    }

    /** @throws IOException where the trainer does not accept it */
    void post(URI trainer, String path, String token) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(trainer.resolve(path))
                .timeout(WHOLE)
                .header("Authorization", "Bearer " + token)
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        requireOk(request, http.send(request, HttpResponse.BodyHandlers.ofString()));
    }

    private static void requireOk(HttpRequest request, HttpResponse<String> response) throws IOException {
        if (response.statusCode() >= OK_BELOW) {
            throw new IOException(request.uri() + " answered " + response.statusCode());
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
