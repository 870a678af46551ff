package dev.tmax.sandboxes.protocol;

import dev.tmax.sandboxes.CommandRequest;
import dev.tmax.sandboxes.ProcessRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Body of {@code POST /v1/cells/{id}/processes}.
 *
 * @param requestId the same when a request is sent again after its answer was lost
 * @param outputLimit null: {@link CommandRequest#DEFAULT_OUTPUT_LIMIT}
 * @param input base64; null: empty
 */
public record RunProcess(
        String requestId,
        List<String> arguments,
        String user,
        String workdir,
        Map<String, String> environment,
        long timeoutMs,
        Integer outputLimit,
        byte[] input) {

    public static RunProcess of(String requestId, ProcessRequest request) {
        return new RunProcess(
                requestId,
                request.arguments(),
                request.user(),
                request.workdir(),
                request.environment(),
                request.timeout().toMillis(),
                request.outputLimit(),
                request.input());
    }

    public ProcessRequest request() {
        return new ProcessRequest(
                arguments == null ? List.of() : arguments,
                user == null ? "" : user,
                workdir == null ? "" : workdir,
                environment == null ? Map.of() : environment,
                Duration.ofMillis(timeoutMs),
                outputLimit == null ? CommandRequest.DEFAULT_OUTPUT_LIMIT : outputLimit,
                input == null ? new byte[0] : input);
    }
}
