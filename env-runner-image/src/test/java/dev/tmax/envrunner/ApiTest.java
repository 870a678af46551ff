package dev.tmax.envrunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tmax.sandboxes.SandboxFailure;
import dev.tmax.sandboxes.SandboxFailure.Reason;
import dev.tmax.sandboxes.remote.RemoteSandbox;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApiTest {

    private static RunnerOnThisMachine machine;
    private static final HttpClient CLIENT = RemoteSandbox.newHttpClient();

    @BeforeAll
    static void start(@TempDir Path state) throws IOException {
        machine = RunnerOnThisMachine.start(state);
    }

    @AfterAll
    static void stop() {
        machine.close();
    }

    private static HttpResponse<String> send(String method, String path, String body)
            throws IOException, InterruptedException {
        return CLIENT.send(
                HttpRequest.newBuilder(machine.url().resolve(path))
                        .method(method, BodyPublishers.ofString(body))
                        .header("Authorization", "Bearer " + RunnerOnThisMachine.TOKEN)
                        .build(),
                BodyHandlers.ofString());
    }

    @Test
    void healthAndMetricsNeedNoToken() throws IOException, InterruptedException {
        for (String path : new String[] {"/healthz", "/metrics"}) {
            HttpResponse<String> answer = CLIENT.send(
                    HttpRequest.newBuilder(machine.url().resolve(path)).build(), BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
        }
    }

    @Test
    void anotherPodsTokenOpensNothing() {
        RemoteSandbox stranger = new RemoteSandbox(CLIENT, machine.url(), "the-token-of-some-other-pod");
        assertThatThrownBy(stranger::cells)
                .isInstanceOfSatisfying(
                        SandboxFailure.class,
                        failure -> assertThat(failure.reason()).isEqualTo(Reason.UNAUTHORIZED));
        assertThatThrownBy(stranger::finish).isInstanceOf(SandboxFailure.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POST|/v1/cells|{|400|body",
                "POST|/v1/cells|null|400|JSON object",
                "POST|/v1/cells|{\"id\": \"../x\"}|400|cell id",
                "POST|/v1/cells|{\"id\": \"x\", \"workdir\": \"rel\"}|400|absolute path",
                "POST|/v1/cells|{\"id\": \"x\", \"base\": \"nowhere\"}|404|nowhere",
                "POST|/v1/cells|{\"id\": \"x\", \"limits\": {\"memoryBytes\": 1, \"processes\": 1, \"diskBytes\": 1}}|400|at least",
                "POST|/v1/cells/none/commands|{\"commandId\": \"1\", \"command\": \"ls\", \"timeoutMs\": 1000}|404|no cell none",
                "POST|/v1/cells/none/commands|{\"commandId\": \"1\", \"timeoutMs\": 1000}|400|command",
                "POST|/v1/cells/none/commands|{\"commandId\": \"1\", \"command\": \"ls\"}|400|timeout",
                "GET|/v1/cells/none/files|''|404|no cell none",
                "GET|/v1/cells/none/files?path=rel|''|400|absolute path",
                "POST|/v1/lease|{}|400|holder",
                "GET|/v1/lease|''|404|GET /v1/lease",
                "GET|/v2/cells|''|404|here",
                "GET|/|''|404|here",
            })
    void aWrongRequestIsToldWhatIsWrong(String method, String path, String body, int status, String message)
            throws IOException, InterruptedException {
        HttpResponse<String> answer = send(method, path, body);
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.body()).contains(message);
    }

    @Test
    void aBodyThatIsTooLargeIsRefused() throws IOException, InterruptedException {
        HttpResponse<String> answer = send("POST", "/v1/cells", "x".repeat(17 << 20));
        assertThat(answer.statusCode()).isEqualTo(413);
    }

    @Test
    void anUnreachablePodIsAFailureOfTheInfrastructure() {
        RemoteSandbox nobody = new RemoteSandbox(CLIENT, URI.create("http://127.0.0.1:1"), "token");
        assertThatThrownBy(nobody::heartbeat)
                .isInstanceOfSatisfying(
                        SandboxFailure.class,
                        failure -> assertThat(failure.reason()).isEqualTo(Reason.UNREACHABLE));
    }
}
