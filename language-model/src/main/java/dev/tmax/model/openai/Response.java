package dev.tmax.model.openai;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Writes the answers to one request. */
final class Response {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpExchange exchange;
    private final Format format;
    private final String model;
    private final int promptTokens;
    private final CompletionRequest request;
    private final String id = UUID.randomUUID().toString();
    private final long created = Instant.now().getEpochSecond();

    Response(HttpExchange exchange, Format format, String model, int promptTokens, CompletionRequest request) {
        this.exchange = exchange;
        this.format = format;
        this.model = model;
        this.promptTokens = promptTokens;
        this.request = request;
    }

    /** All answers in one JSON object, once all are there. */
    void whole(List<Answer> answers) throws IOException, InterruptedException {
        ObjectNode json = format.envelope(id, created, model, false);
        for (Answer answer : answers) {
            StringBuilder text = new StringBuilder();
            List<Format.ScoredToken> scores = new ArrayList<>();
            Answer.Piece piece;
            do {
                piece = answer.next();
                text.append(piece.text());
                scores.addAll(piece.scores());
            } while (!answer.ended());
            json.withArray("choices").add(format.choice(answer.index(), text.toString(), piece.finishReason(), scores));
        }
        json.set("usage", usage(answers));
        byte[] body = JSON.writeValueAsBytes(json);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
    }

    /** Each piece of text as a server-sent event. Answers go on in parallel, and are read in turns. */
    void stream(List<Answer> answers) throws IOException, InterruptedException {
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.getResponseHeaders().set("Cache-Control", "no-cache");
        exchange.sendResponseHeaders(200, 0);
        OutputStream out = exchange.getResponseBody();
        for (Answer answer : answers) {
            send(out, format.piece(answer.index(), "", true, null, List.of()));
        }
        List<Answer> open = new ArrayList<>(answers);
        while (!open.isEmpty()) {
            for (Answer answer : open) {
                Answer.Piece piece = answer.next();
                if (!piece.text().isEmpty() || !piece.scores().isEmpty() || piece.finishReason() != null) {
                    send(out, format.piece(answer.index(), piece.text(), false, piece.finishReason(), piece.scores()));
                }
            }
            open.removeIf(Answer::ended);
        }
        if (request.streamUsage()) {
            ObjectNode json = format.envelope(id, created, model, true);
            json.set("usage", usage(answers));
            event(out, JSON.writeValueAsString(json));
        }
        event(out, "[DONE]");
    }

    private void send(OutputStream out, ObjectNode choice) throws IOException {
        ObjectNode json = format.envelope(id, created, model, true);
        json.withArray("choices").add(choice);
        event(out, JSON.writeValueAsString(json));
    }

    private static void event(OutputStream out, String data) throws IOException {
        out.write(("data: " + data + "\n\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    private ObjectNode usage(List<Answer> answers) {
        return Format.usage(
                promptTokens, answers.stream().mapToInt(Answer::tokens).sum());
    }
}
