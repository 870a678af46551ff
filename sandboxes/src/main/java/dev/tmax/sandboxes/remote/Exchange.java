package dev.tmax.sandboxes.remote;

import dev.tmax.sandboxes.SandboxFailure;
import dev.tmax.sandboxes.protocol.Failure;
import dev.tmax.sandboxes.protocol.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** One request and its answer, sent again where the connection failed. */
record Exchange(HttpClient client, URI url, String token) {

    private static final int ATTEMPTS = 4;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

    /**
     * @return body of the successful answer
     */
    byte[] send(String method, String path, BodyPublisher body, Duration timeout) throws SandboxFailure {
        HttpRequest request = HttpRequest.newBuilder(url.resolve(path))
                .method(method, body)
                .header("Authorization", "Bearer " + token)
                .timeout(timeout)
                .build();
        Duration pause = FIRST_PAUSE;
        for (int attempt = 1; ; attempt++) {
            try {
                HttpResponse<byte[]> response = client.send(request, BodyHandlers.ofByteArray());
                if (response.statusCode() / 100 == 2) {
                    return response.body();
                }
                throw failure(response);
            } catch (IOException e) {
                if (attempt == ATTEMPTS) {
                    throw new SandboxFailure(
                            SandboxFailure.Reason.UNREACHABLE,
                            method + " " + url + path + " failed " + ATTEMPTS + " times, last: " + e,
                            e);
                }
                pause(pause);
                pause = pause.multipliedBy(4);
            } catch (InterruptedException e) {
                throw interrupted(e);
            }
        }
    }

    private SandboxFailure failure(HttpResponse<byte[]> response) {
        String where = url + ": ";
        try {
            Failure failure = Json.read(response.body(), Failure.class);
            if (failure.reason() != null) {
                return new SandboxFailure(failure.reason(), where + failure.message());
            }
        } catch (IOException e) {
            // Not an env-runner's answer: reported below as it is.
        }
        return new SandboxFailure(
                SandboxFailure.Reason.INTERNAL,
                where + "HTTP " + response.statusCode() + " " + new String(response.body(), StandardCharsets.UTF_8));
    }

    private static void pause(Duration pause) throws SandboxFailure {
        try {
            Thread.sleep(pause);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static SandboxFailure interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new SandboxFailure(SandboxFailure.Reason.INTERRUPTED, "interrupted while waiting for the sandbox", e);
    }
}
