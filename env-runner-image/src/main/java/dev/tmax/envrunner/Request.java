package dev.tmax.envrunner;

import com.sun.net.httpserver.HttpExchange;
import dev.tmax.sandboxes.SandboxFailure;
import dev.tmax.sandboxes.SandboxFailure.Reason;
import dev.tmax.sandboxes.protocol.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** One request, its parts read within bounds, and its answer. */
final class Request {

    /** A command of the greatest length, every byte escaped in JSON, and its fields. */
    private static final int MAX_JSON_BYTES = 16 << 20;

    private final HttpExchange exchange;
    private final List<String> segments;

    Request(HttpExchange exchange) {
        this.exchange = exchange;
        this.segments = Arrays.stream(
                        exchange.getRequestURI().getRawPath().substring(1).split("/"))
                .map(Request::decode)
                .toList();
    }

    String method() {
        return exchange.getRequestMethod();
    }

    /** Parts of the path; at least one, perhaps empty. */
    List<String> segments() {
        return segments;
    }

    boolean answersTar() {
        return method().equals("GET") && segments.size() == 4 && segments.get(3).equals("files");
    }

    /** Values of a query parameter, in order. */
    List<String> all(String name) {
        String query = exchange.getRequestURI().getRawQuery();
        return query == null
                ? List.of()
                : Arrays.stream(query.split("&"))
                        .filter(part -> part.startsWith(name + "="))
                        .map(part -> decode(part.substring(name.length() + 1)))
                        .toList();
    }

    <T> T json(Class<T> shape) throws SandboxFailure, IOException {
        byte[] body = exchange.getRequestBody().readNBytes(MAX_JSON_BYTES + 1);
        if (body.length > MAX_JSON_BYTES) {
            throw new SandboxFailure(Reason.TOO_LARGE, "the body is larger than " + MAX_JSON_BYTES + " bytes");
        }
        try {
            return Json.read(body, shape);
        } catch (IOException e) {
            throw new SandboxFailure(Reason.BAD_REQUEST, e.getMessage(), e);
        }
    }

    /** The body as it comes. */
    InputStream body(long maxBytes) throws SandboxFailure {
        String length = exchange.getRequestHeaders().getFirst("Content-Length");
        if (length == null) {
            throw new SandboxFailure(Reason.BAD_REQUEST, "send a Content-Length");
        }
        if (Long.parseLong(length) > maxBytes) {
            throw new SandboxFailure(Reason.TOO_LARGE, "the archive is larger than " + maxBytes + " bytes");
        }
        return exchange.getRequestBody();
    }

    void answer(int status, String type, byte[] body) throws IOException {
        // A body left unread would be taken for the next request.
        exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
