package dev.tmax.trainer.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tmax.contracts.status.RunStatus;
import dev.tmax.contracts.status.RunStatus.Phase;
import dev.tmax.trainer.status.Progress;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HttpEndpointsTest {

    @TempDir
    private Path folder;

    private final Progress progress = new Progress(10);
    private final Requests requests = new Requests();
    private final HttpClient client = HttpClient.newHttpClient();
    private volatile boolean ready;
    private HttpEndpoints endpoints;

    @BeforeEach
    void start() throws IOException {
        Path file = Files.writeString(folder.resolve("token"), "secret\n");
        TrainerMetrics metrics = new TrainerMetrics("ns", "run");
        metrics.show(progress::status, () -> 1, () -> 2);
        endpoints = new HttpEndpoints(0, Token.read(file), progress::status, () -> ready, requests, metrics);
    }

    @AfterEach
    void stop() {
        endpoints.close();
        client.close();
    }

    private HttpResponse<String> send(String method, String path, String token) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + endpoints.port() + path))
                .method(method, HttpRequest.BodyPublishers.noBody());
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void theStatusIsOpenToAll() throws Exception {
        progress.phase(Phase.FAILED, "model.path: nothing is not usable");

        RunStatus status = RunStatus.fromJson(send("GET", "/v1/status", null).body());

        assertThat(status.phase()).isEqualTo(Phase.FAILED);
        assertThat(status.message()).isEqualTo("model.path: nothing is not usable");
        assertThat(status.steps()).isEqualTo(10);
    }

    @Test
    void requestsNeedTheRunsToken() throws Exception {
        assertThat(send("POST", "/v1/drain", null).statusCode()).isEqualTo(401);
        assertThat(send("POST", "/v1/drain", "guess").statusCode()).isEqualTo(401);
        assertThat(requests.anything()).isFalse();

        assertThat(send("POST", "/v1/checkpoint", "secret").statusCode()).isEqualTo(202);
        assertThat(requests.takeCheckpoint()).isTrue();
        assertThat(requests.takeCheckpoint()).isFalse();
        assertThat(send("POST", "/v1/drain", "secret").statusCode()).isEqualTo(202);
        assertThat(requests.ending()).isTrue();
    }

    @Test
    void itIsReadyWhenGeneratorsCanBeServedAndHealthyBefore() throws Exception {
        assertThat(send("GET", "/healthz", null).statusCode()).isEqualTo(200);
        assertThat(send("GET", "/readyz", null).statusCode()).isEqualTo(503);
        ready = true;

        assertThat(send("GET", "/readyz", null).statusCode()).isEqualTo(200);
    }

    @Test
    void metricsHaveNamespaceAndRunAndOnlyBoundedLabels() throws Exception {
        String metrics = send("GET", "/metrics", null).body();

        assertThat(metrics)
                .contains("tmax_trainer_phase{namespace=\"ns\",phase=\"loading\",run=\"run\"} 1.0")
                .contains("tmax_trainer_steps{namespace=\"ns\",run=\"run\"} 10.0");
    }

    @Test
    void otherPathsAndMethodsAreRefused() throws Exception {
        assertThat(send("GET", "/v1/drain", "secret").statusCode()).isEqualTo(405);
        assertThat(send("GET", "/v1/status/more", null).statusCode()).isEqualTo(404);
    }
}
