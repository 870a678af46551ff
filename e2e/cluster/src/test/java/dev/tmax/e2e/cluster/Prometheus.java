package dev.tmax.e2e.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.OptionalDouble;

/** A real Prometheus that scrapes the cluster, at {@code PROMETHEUS_URL}. */
final class Prometheus implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http = HttpClient.newHttpClient();
    private final String url = System.getenv("PROMETHEUS_URL");

    /** The value of an expression that gives one series; empty where it gives none. */
    OptionalDouble query(String expression) {
        String query = URLEncoder.encode(expression, StandardCharsets.UTF_8);
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/api/v1/query?query=" + query))
                .timeout(Duration.ofSeconds(10))
                .build();
        try {
            JsonNode result = JSON.readTree(http.send(request, HttpResponse.BodyHandlers.ofString())
                            .body())
                    .at("/data/result");
            return result.isEmpty()
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(result.get(0).at("/value/1").asDouble());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
