package dev.tmax.model.openai;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tmax.model.Fixture;
import dev.tmax.model.ModelFolder;
import dev.tmax.model.Precision;
import dev.tmax.model.decode.DecodeOptions;
import dev.tmax.model.text.Message;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpenAiServerTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ModelFolder MODEL = new Fixture("llama").model();
    private static final String CHAT =
            "{'messages': [{'role': 'user', 'content': 'list files'}], 'temperature': 0, 'max_tokens': 12";

    private static OpenAiServer server;
    private static HttpClient client;

    @BeforeAll
    static void open() throws IOException {
        server = OpenAiServer.open(
                MODEL,
                new DecodeOptions(2, 128, Precision.FP32, true, 1),
                "small",
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        client = HttpClient.newHttpClient();
    }

    @AfterAll
    static void close() {
        server.close();
        client.close();
    }

    private static HttpRequest post(String path, String body) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + path))
                .POST(HttpRequest.BodyPublishers.ofString(body.replace('\'', '"')))
                .build();
    }

    private static HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static JsonNode ask(String path, String body) throws IOException, InterruptedException {
        HttpResponse<String> response = send(post(path, body));
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JSON.readTree(response.body());
    }

    private static List<JsonNode> events(String path, String body) throws IOException, InterruptedException {
        HttpResponse<String> response = send(post(path, body));
        assertThat(response.headers().firstValue("Content-Type")).hasValue("text/event-stream");
        List<String> data = response.body()
                .lines()
                .filter(line -> !line.isEmpty())
                .map(line -> line.substring("data: ".length()))
                .toList();
        assertThat(data.getLast()).isEqualTo("[DONE]");
        List<JsonNode> events = new ArrayList<>();
        for (String event : data.subList(0, data.size() - 1)) {
            events.add(JSON.readTree(event));
        }
        return events;
    }

    @Test
    void answersAChat() throws IOException, InterruptedException {
        JsonNode answer = ask("/v1/chat/completions", CHAT + ", 'logprobs': true, 'model': 'small'}");
        assertThat(answer.path("object").asText()).isEqualTo("chat.completion");
        assertThat(answer.at("/choices/0/message/role").asText()).isEqualTo("assistant");
        assertThat(answer.at("/choices/0/finish_reason").asText()).isIn("stop", "length");
        int prompt =
                MODEL.tokenizer().encode(MODEL.chatTemplate().render(List.of(Message.user("list files")), true)).length;
        assertThat(answer.at("/usage/prompt_tokens").asInt()).isEqualTo(prompt);
        assertThat(answer.at("/usage/completion_tokens").asInt()).isBetween(1, 12);
        assertThat(answer.at("/choices/0/logprobs/content/0/logprob").asDouble())
                .isNegative();
    }

    @Test
    void streamsTheSameTextInPieces() throws IOException, InterruptedException {
        String whole = ask("/v1/chat/completions", CHAT + "}")
                .at("/choices/0/message/content")
                .asText();
        List<JsonNode> events =
                events("/v1/chat/completions", CHAT + ", 'stream': true, 'stream_options': {'include_usage': true}}");
        StringBuilder text = new StringBuilder();
        events.forEach(event -> text.append(event.at("/choices/0/delta/content").asText()));
        assertThat(text).hasToString(whole);
        assertThat(events.getFirst().at("/choices/0/delta/role").asText()).isEqualTo("assistant");
        assertThat(events.get(events.size() - 2).at("/choices/0/finish_reason").asText())
                .isIn("stop", "length");
        assertThat(events.getLast().at("/usage/total_tokens").asInt()).isPositive();
    }

    @Test
    void completesATextOrTokenIdsToTheSame() throws IOException, InterruptedException {
        String rest = ", 'temperature': 0, 'max_tokens': 8}";
        JsonNode text = ask("/v1/completions", "{'prompt': 'ls -la'" + rest);
        String ids = JSON.writeValueAsString(MODEL.tokenizer().encode("ls -la"));
        JsonNode tokens = ask("/v1/completions", "{'prompt': " + ids + rest);
        assertThat(text.at("/choices/0/text").asText())
                .isEqualTo(tokens.at("/choices/0/text").asText());
        List<JsonNode> events = events("/v1/completions", "{'stream': true, 'prompt': 'ls -la'" + rest);
        StringBuilder streamed = new StringBuilder();
        events.forEach(event -> streamed.append(event.at("/choices/0/text").asText()));
        assertThat(streamed).hasToString(text.at("/choices/0/text").asText());
    }

    @Test
    void endsAtAStopStringWithoutIt() throws IOException, InterruptedException {
        String rest = "{'prompt': 'ls -la', 'temperature': 0, 'max_tokens': 30";
        String text = ask("/v1/completions", rest + "}").at("/choices/0/text").asText();
        int middle = text.offsetByCodePoints(0, text.codePointCount(0, text.length()) / 2);
        String stop = text.substring(middle, text.offsetByCodePoints(middle, 1));
        JsonNode stopped = ask("/v1/completions", rest + ", 'stop': " + JSON.writeValueAsString(stop) + "}");
        assertThat(stopped.at("/choices/0/text").asText()).isEqualTo(text.substring(0, text.indexOf(stop)));
        assertThat(stopped.at("/choices/0/finish_reason").asText()).isEqualTo("stop");
    }

    @Test
    void givesTheSameAnswersForASeedWhateverElseIsAsked() throws IOException, InterruptedException {
        String body = "{'prompt': 'ls', 'max_tokens': 20, 'seed': 7, 'n': 3}";
        JsonNode alone = ask("/v1/completions", body);
        assertThat(alone.path("choices")).hasSize(3);
        assertThat(alone.at("/choices/0/text")).isNotEqualTo(alone.at("/choices/1/text"));
        List<CompletableFuture<HttpResponse<String>>> others = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            others.add(client.sendAsync(
                    post("/v1/completions", "{'prompt': 'cat x', 'max_tokens': 30}"),
                    HttpResponse.BodyHandlers.ofString()));
        }
        JsonNode together = ask("/v1/completions", body);
        for (int i = 0; i < 3; i++) {
            assertThat(together.at("/choices/" + i + "/text")).isEqualTo(alone.at("/choices/" + i + "/text"));
        }
        assertThat(others)
                .allSatisfy(other -> assertThat(other.join().statusCode()).isEqualTo(200));
    }

    @Test
    void listsItsModel() throws IOException, InterruptedException {
        HttpResponse<String> response =
                send(HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + "/v1/models"))
                        .build());
        assertThat(JSON.readTree(response.body()).at("/data/0/id").asText()).isEqualTo("small");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /v1/completions      | {'prompt': 'x', 'temperature': 3}                    | 400 | temperature | 3.0; give a number from 0 to 2
            /v1/completions      | {'prompt': 'x', 'max_tokens': 0}                     | 400 | max_tokens  | give a whole number from 1
            /v1/completions      | {'prompt': 'x', 'top_p': 'much'}                     | 400 | top_p       | give a number
            /v1/completions      | {'prompt': 'x', 'stop': ['']}                        | 400 | stop        | none empty
            /v1/completions      | {'prompt': 'x', 'echo': true}                        | 400 | echo        | not supported
            /v1/completions      | {'prompt': [1, 320]}                                 | 400 | prompt      | token ids below 320
            /v1/completions      | {'prompt': ''}                                       | 400 | prompt      | empty
            /v1/completions      | {'prompt': 'x', 'model': 'large'}                    | 404 | model       | use 'small'
            /v1/completions      | {'prompt':                                           | 400 |             | not JSON
            /v1/chat/completions | {'messages': []}                                     | 400 | messages    | at least one
            /v1/chat/completions | {'messages': [{'content': 'x'}]}                     | 400 | messages[0].role | missing
            /v1/chat/completions | {'messages': [{'role': 'user'}]}                     | 400 | messages[0].content | missing
            /v1/models           | {}                                                   | 405 |             | takes GET
            /v1/answers          | {}                                                   | 404 |             | POST /v1/completions
            """)
    void saysWhatIsWrongInOpenAisForm(String path, String body, int status, String parameter, String message)
            throws IOException, InterruptedException {
        HttpResponse<String> response = send(post(path, body));
        JsonNode error = JSON.readTree(response.body()).path("error");
        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(error.path("type").asText()).isEqualTo("invalid_request_error");
        assertThat(error.path("message").asText()).contains(message);
        assertThat(error.path("param").asText(null)).isEqualTo(parameter);
    }

    @Test
    void refusesAPromptThatDoesNotFit() throws IOException, InterruptedException {
        HttpResponse<String> response = send(post("/v1/completions", "{'prompt': '" + "x y ".repeat(100) + "'}"));
        JsonNode error = JSON.readTree(response.body()).path("error");
        assertThat(error.path("code").asText()).isEqualTo("context_length_exceeded");
        assertThat(error.path("message").asText()).contains("in a context of 128");
    }
}
