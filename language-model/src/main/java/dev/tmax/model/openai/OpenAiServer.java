package dev.tmax.model.openai;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tmax.model.ModelFolder;
import dev.tmax.model.ModelFormatException;
import dev.tmax.model.decode.DecodeEngine;
import dev.tmax.model.decode.DecodeOptions;
import dev.tmax.model.decode.GenerationLimits;
import dev.tmax.model.decode.Prompt;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Serves a model as OpenAI's interface: {@code GET /v1/models}, {@code POST /v1/completions} and
 * {@code POST /v1/chat/completions}, whole or as server-sent events. Requests are decoded together.
 */
public final class OpenAiServer implements AutoCloseable {
    private static final int MOST_BODY_BYTES = 16 << 20;
    private static final ObjectMapper JSON = new ObjectMapper();

    /** A part of the server that answers a request. */
    private interface Handler {
        void handle(HttpExchange exchange) throws IOException, InterruptedException, ApiException;
    }

    private final ModelFolder model;
    private final DecodeOptions options;
    private final String name;
    private final Batcher batcher;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private OpenAiServer(ModelFolder model, DecodeOptions options, String name, Batcher batcher, HttpServer server) {
        this.model = model;
        this.options = options;
        this.name = name;
        this.batcher = batcher;
        this.server = server;
    }

    /**
     * Loads a model and begins to serve.
     *
     * @param name what clients call the model
     * @param address where to listen; port 0 for any free one
     */
    public static OpenAiServer open(ModelFolder model, DecodeOptions options, String name, InetSocketAddress address)
            throws IOException {
        HttpServer http = HttpServer.create(address, 64);
        OpenAiServer server =
                new OpenAiServer(model, options, name, new Batcher(DecodeEngine.open(model, options)), http);
        http.setExecutor(server.threads);
        http.createContext(
                "/",
                exchange -> server.answer(exchange, "any", _ -> {
                    throw ApiException.unknownPath(exchange.getRequestURI().getPath());
                }));
        http.createContext("/v1/models", exchange -> server.answer(exchange, "GET", server::models));
        http.createContext("/v1/completions", exchange -> server.answer(exchange, "POST", server::completion));
        http.createContext("/v1/chat/completions", exchange -> server.answer(exchange, "POST", server::chat));
        http.start();
        return server;
    }

    public int port() {
        return server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange, String method, Handler handler) throws IOException {
        try (exchange) {
            try {
                String path = exchange.getRequestURI().getPath();
                if (!method.equals("any")
                        && !path.equals(exchange.getHttpContext().getPath())) {
                    throw ApiException.unknownPath(path);
                }
                if (!method.equals("any") && !exchange.getRequestMethod().equals(method)) {
                    throw ApiException.wrongMethod(path, method);
                }
                handler.handle(exchange);
            } catch (ApiException e) {
                send(exchange, e.status(), Format.error(e));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                // A response that has begun cannot change its status; the client sees it break off.
                if (exchange.getResponseCode() == -1) {
                    send(exchange, 500, Format.error(ApiException.failed(String.valueOf(e.getMessage()))));
                }
            }
        }
    }

    private static void send(HttpExchange exchange, int status, ObjectNode json) throws IOException {
        byte[] body = JSON.writeValueAsBytes(json);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    private void models(HttpExchange exchange) throws IOException {
        ObjectNode json = JSON.createObjectNode().put("object", "list");
        json.putArray("data")
                .addObject()
                .put("id", name)
                .put("object", "model")
                .put("created", 0)
                .put("owned_by", "tmax");
        send(exchange, 200, json);
    }

    private void chat(HttpExchange exchange) throws IOException, InterruptedException, ApiException {
        JsonNode json = body(exchange);
        String text;
        try {
            text = model.chatTemplate().render(ChatMessages.read(json, model.tokenizer()), true);
        } catch (ModelFormatException e) {
            throw ApiException.invalid("messages", e.getMessage());
        }
        respond(exchange, Format.CHAT, "messages", json, model.tokenizer().encode(text));
    }

    private void completion(HttpExchange exchange) throws IOException, InterruptedException, ApiException {
        JsonNode json = body(exchange);
        respond(exchange, Format.COMPLETION, "prompt", json, prompt(json.path("prompt")));
    }

    private int[] prompt(JsonNode prompt) throws ApiException {
        JsonNode single =
                prompt.isArray() && prompt.size() == 1 && prompt.get(0).isTextual() ? prompt.get(0) : prompt;
        if (single.isTextual()) {
            return model.tokenizer().encode(single.asText());
        }
        int vocabulary = model.configuration().vocabulary();
        int[] tokens = new int[single.size()];
        for (int i = 0; i < tokens.length; i++) {
            JsonNode token = single.get(i);
            if (!token.isInt() || token.asInt() < 0 || token.asInt() >= vocabulary) {
                throw ApiException.invalid("prompt", token + "; give one text, or token ids below " + vocabulary);
            }
            tokens[i] = token.asInt();
        }
        return tokens;
    }

    private JsonNode body(HttpExchange exchange) throws IOException, ApiException {
        byte[] bytes = exchange.getRequestBody().readNBytes(MOST_BODY_BYTES + 1);
        if (bytes.length > MOST_BODY_BYTES) {
            throw ApiException.unreadable("the body has more than " + MOST_BODY_BYTES + " bytes; send a shorter one");
        }
        try {
            JsonNode json = JSON.readTree(bytes);
            if (!json.isObject()) {
                throw ApiException.unreadable("the body is not a JSON object");
            }
            String asked = json.path("model").asText(name);
            if (!asked.equals(name)) {
                throw ApiException.unknownModel(asked, name);
            }
            return json;
        } catch (JsonProcessingException e) {
            throw ApiException.unreadable("the body is not JSON: " + e.getOriginalMessage());
        }
    }

    private void respond(HttpExchange exchange, Format format, String field, JsonNode json, int[] prompt)
            throws IOException, InterruptedException, ApiException {
        CompletionRequest request = CompletionRequest.read(json);
        int room = options.maxContextTokens() - prompt.length;
        if (prompt.length == 0) {
            throw ApiException.invalid(field, "empty; give at least one token");
        }
        if (room < 1) {
            throw ApiException.tooLong(
                    field,
                    prompt.length + " tokens leave no room in a context of " + options.maxContextTokens()
                            + "; shorten it");
        }
        GenerationLimits limits = new GenerationLimits(
                Math.min(room, request.maxTokens().orElse(room)),
                request.stop(),
                model.tokenizer().endOfSequence());
        long seed = request.seed().orElseGet(() -> ThreadLocalRandom.current().nextLong());
        List<Answer> answers = new ArrayList<>();
        for (int i = 0; i < request.answers(); i++) {
            Generation generation = new Generation(new Prompt(prompt), limits, request.sampling(), seed + i);
            answers.add(new Answer(i, generation, model.tokenizer(), request));
            batcher.begin(generation);
        }
        try {
            Response response = new Response(exchange, format, name, prompt.length, request);
            if (request.stream()) {
                response.stream(answers);
            } else {
                response.whole(answers);
            }
        } finally {
            answers.forEach(answer -> batcher.cancel(answer.generation()));
        }
    }

    /** Stops listening and ends the engine; answers in the middle break off. */
    @Override
    public void close() {
        server.stop(0);
        batcher.close();
        threads.shutdownNow();
    }
}
