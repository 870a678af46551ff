package dev.tmax.sandboxes.remote;

import dev.tmax.sandboxes.CellSpec;
import dev.tmax.sandboxes.CellStatus;
import dev.tmax.sandboxes.Changes;
import dev.tmax.sandboxes.CommandRequest;
import dev.tmax.sandboxes.CommandResult;
import dev.tmax.sandboxes.ProcessRequest;
import dev.tmax.sandboxes.Sandbox;
import dev.tmax.sandboxes.SandboxFailure;
import dev.tmax.sandboxes.Upload;
import dev.tmax.sandboxes.VerifierResult;
import dev.tmax.sandboxes.VerifierRun;
import dev.tmax.sandboxes.protocol.CellList;
import dev.tmax.sandboxes.protocol.CommandOutcome;
import dev.tmax.sandboxes.protocol.CreateCell;
import dev.tmax.sandboxes.protocol.Json;
import dev.tmax.sandboxes.protocol.RunCommand;
import dev.tmax.sandboxes.protocol.RunProcess;
import dev.tmax.sandboxes.protocol.RunVerifier;
import dev.tmax.sandboxes.protocol.TakeLease;
import dev.tmax.sandboxes.protocol.VerifierReport;
import dev.tmax.sandboxes.tar.TarWriter;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/**
 * A sandbox pod, through the HTTP API of its env-runner.
 *
 * <p>A request whose answer is lost is sent again a few times; ids make sure that nothing happens twice.
 */
public final class RemoteSandbox implements Sandbox {

    /** The env-runner ends a command's processes within this time after its timeout. */
    private static final Duration ENDING = Duration.ofSeconds(45);

    /** Its upload, and the start of its cell on a busy machine. */
    private static final Duration VERIFIER_PREPARATION = Duration.ofMinutes(2);

    private static final Duration SHORT = Duration.ofSeconds(30);
    private static final BodyPublisher NOTHING = BodyPublishers.noBody();

    private final Exchange exchange;

    /**
     * @param client shared by all sandboxes of a process; see {@link #newHttpClient()}
     * @param url {@code http://HOST:PORT}
     * @param token bearer token of this pod
     */
    public RemoteSandbox(HttpClient client, URI url, String token) {
        this.exchange = new Exchange(client, url, token);
    }

    /** A client fit for many sandboxes. */
    public static HttpClient newHttpClient() {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(5))
                .build();
    }

    @Override
    public void createCell(CellSpec spec) throws SandboxFailure {
        exchange.send("POST", "/v1/cells", json(CreateCell.of(newRequestId(), spec)), SHORT);
    }

    @Override
    public CommandResult run(String cellId, CommandRequest request) throws SandboxFailure {
        byte[] answer = exchange.send(
                "POST",
                cell(cellId, "/commands"),
                json(RunCommand.of(request)),
                request.timeout().plus(ENDING));
        return read(answer, CommandOutcome.class).result();
    }

    @Override
    public CommandResult execute(String cellId, ProcessRequest request) throws SandboxFailure {
        byte[] answer = exchange.send(
                "POST",
                cell(cellId, "/processes"),
                json(RunProcess.of(newRequestId(), request)),
                request.timeout().plus(ENDING));
        return read(answer, CommandOutcome.class).result();
    }

    @Override
    public VerifierResult verify(VerifierRun run) throws SandboxFailure {
        TarWriter body = new TarWriter().file(RunVerifier.ENTRY, 0600, Json.write(RunVerifier.of(newRequestId(), run)));
        for (Upload upload : run.uploads()) {
            try (InputStream tar = upload.tar().open()) {
                body.file("upload.tar", 0600, tar.readAllBytes());
            } catch (IOException e) {
                throw new SandboxFailure(
                        SandboxFailure.Reason.BAD_REQUEST, upload.folder() + ": the archive cannot be read: " + e, e);
            }
        }
        byte[] answer = exchange.send(
                "POST",
                "/v1/verifiers",
                BodyPublishers.ofByteArray(body.toByteArray()),
                run.process().timeout().plus(VERIFIER_PREPARATION).plus(ENDING));
        return read(answer, VerifierReport.class).result();
    }

    @Override
    public void putFiles(String cellId, String path, InputStream tar) throws SandboxFailure {
        byte[] archive;
        try (tar) {
            archive = tar.readAllBytes();
        } catch (IOException e) {
            throw new SandboxFailure(SandboxFailure.Reason.BAD_REQUEST, "the archive cannot be read: " + e, e);
        }
        exchange.send(
                "PUT",
                cell(cellId, "/files?path=" + encode(path)),
                BodyPublishers.ofByteArray(archive),
                Duration.ofMinutes(2));
    }

    @Override
    public byte[] getFiles(String cellId, List<String> paths, long maxBytes) throws SandboxFailure {
        StringBuilder query = new StringBuilder("maxBytes=" + maxBytes);
        paths.forEach(path -> query.append("&path=").append(encode(path)));
        return exchange.send("GET", cell(cellId, "/files?" + query), NOTHING, Duration.ofMinutes(2));
    }

    @Override
    public Changes changes(String cellId) throws SandboxFailure {
        return read(exchange.send("GET", cell(cellId, "/changes"), NOTHING, SHORT), Changes.class);
    }

    @Override
    public void deleteCell(String cellId) throws SandboxFailure {
        exchange.send("DELETE", cell(cellId, ""), NOTHING, SHORT);
    }

    @Override
    public List<CellStatus> cells() throws SandboxFailure {
        return read(exchange.send("GET", "/v1/cells", NOTHING, SHORT), CellList.class)
                .statuses();
    }

    @Override
    public void lease(String holder, Duration ttl) throws SandboxFailure {
        exchange.send("POST", "/v1/lease", json(new TakeLease(holder, ttl.toMillis())), SHORT);
    }

    @Override
    public void heartbeat() throws SandboxFailure {
        exchange.send("POST", "/v1/heartbeat", NOTHING, SHORT);
    }

    @Override
    public void finish() throws SandboxFailure {
        exchange.send("POST", "/v1/finish", NOTHING, SHORT);
    }

    @Override
    public void close() {
        // The client is shared and the pod lives on.
    }

    private static String newRequestId() {
        return UUID.randomUUID().toString();
    }

    private static String cell(String cellId, String rest) {
        return "/v1/cells/" + encode(cellId) + rest;
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static BodyPublisher json(Object body) {
        return BodyPublishers.ofByteArray(Json.write(body));
    }

    private static <T> T read(byte[] answer, Class<T> shape) throws SandboxFailure {
        try {
            return Json.read(answer, shape);
        } catch (IOException e) {
            throw new SandboxFailure(
                    SandboxFailure.Reason.INTERNAL, "the env-runner's answer is not a " + shape.getSimpleName(), e);
        }
    }
}
