package dev.tmax.envrunner;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.tmax.sandboxes.SandboxFailure;
import dev.tmax.sandboxes.SandboxFailure.Reason;
import dev.tmax.sandboxes.cells.Cells;
import dev.tmax.sandboxes.protocol.CellList;
import dev.tmax.sandboxes.protocol.CommandOutcome;
import dev.tmax.sandboxes.protocol.CreateCell;
import dev.tmax.sandboxes.protocol.Failure;
import dev.tmax.sandboxes.protocol.Json;
import dev.tmax.sandboxes.protocol.RunCommand;
import dev.tmax.sandboxes.protocol.RunProcess;
import dev.tmax.sandboxes.protocol.RunVerifier;
import dev.tmax.sandboxes.protocol.TakeLease;
import dev.tmax.sandboxes.protocol.VerifierReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** The HTTP API. Every answer but health and metrics needs the bearer token; every request is bounded. */
final class Api implements HttpHandler {

    private static final byte[] OK = "{}".getBytes(StandardCharsets.US_ASCII);
    private static final long MAX_FILES_BYTES = 256L << 20;

    private final Cells cells;
    private final Life life;
    private final Metrics metrics;
    private final byte[] expectedAuthorization;

    Api(Cells cells, Life life, Metrics metrics, String token) {
        this.cells = cells;
        this.life = life;
        this.metrics = metrics;
        this.expectedAuthorization = ("Bearer " + token).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        Request request = new Request(exchange);
        try {
            switch (request.segments().getFirst()) {
                case "healthz" -> request.answer(200, "text/plain", "ok\n".getBytes(StandardCharsets.US_ASCII));
                case "metrics" -> request.answer(200, "text/plain; version=0.0.4", metrics.text(cells.list(), life));
                default -> {
                    requireToken(exchange);
                    byte[] answer = route(request);
                    request.answer(200, request.answersTar() ? "application/x-tar" : "application/json", answer);
                }
            }
        } catch (SandboxFailure e) {
            Failure failure = Failure.of(e);
            request.answer(failure.status(), "application/json", Json.write(failure));
        } catch (IllegalArgumentException e) {
            Failure failure = new Failure(Reason.BAD_REQUEST, e.getMessage());
            request.answer(failure.status(), "application/json", Json.write(failure));
        } catch (RuntimeException e) {
            System.getLogger(Api.class.getName()).log(System.Logger.Level.ERROR, "request failed", e);
            request.answer(500, "application/json", Json.write(new Failure(Reason.INTERNAL, e.toString())));
        }
    }

    private void requireToken(HttpExchange exchange) throws SandboxFailure {
        String given = exchange.getRequestHeaders().getFirst("Authorization");
        if (given == null || !MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), expectedAuthorization)) {
            throw new SandboxFailure(Reason.UNAUTHORIZED, "send the bearer token of this pod");
        }
    }

    private byte[] route(Request request) throws SandboxFailure, IOException {
        List<String> path = request.segments();
        String method = request.method();
        if (!path.getFirst().equals("v1") || path.size() < 2) {
            throw unknown(request);
        }
        return switch (path.get(1)) {
            case "cells" -> path.size() == 2 ? all(request) : one(request, path.get(2));
            case "verifiers" -> {
                requirePost(method, request);
                yield verify(request);
            }
            case "lease" -> {
                requirePost(method, request);
                TakeLease lease = request.json(TakeLease.class);
                if (lease.holder() == null || lease.ttlMs() <= 0) {
                    throw new IllegalArgumentException("lease: give a holder and a ttlMs above 0");
                }
                life.lease(lease.holder(), Duration.ofMillis(lease.ttlMs()));
                yield OK;
            }
            case "heartbeat" -> {
                requirePost(method, request);
                life.heartbeat();
                yield OK;
            }
            case "finish" -> {
                requirePost(method, request);
                life.finish();
                yield OK;
            }
            default -> throw unknown(request);
        };
    }

    private byte[] verify(Request request) throws SandboxFailure {
        VerifierBody body = new VerifierBody(request.body(MAX_FILES_BYTES));
        RunVerifier verifier;
        try {
            verifier = body.request();
        } catch (IOException e) {
            throw new SandboxFailure(Reason.BAD_REQUEST, e.getMessage(), e);
        }
        return Json.write(VerifierReport.of(cells.verify(orNew(verifier.requestId()), body.run(verifier))));
    }

    private byte[] all(Request request) throws SandboxFailure, IOException {
        return switch (request.method()) {
            case "GET" -> Json.write(CellList.of(cells.list()));
            case "POST" -> {
                CreateCell create = request.json(CreateCell.class);
                long began = System.nanoTime();
                cells.create(orNew(create.requestId()), create.spec());
                metrics.cellStarted(System.nanoTime() - began);
                yield OK;
            }
            default -> throw unknown(request);
        };
    }

    private byte[] one(Request request, String id) throws SandboxFailure, IOException {
        String rest = request.segments().size() > 3 ? request.segments().get(3) : "";
        return switch (request.method() + " " + rest) {
            case "DELETE " -> {
                cells.delete(id);
                yield OK;
            }
            case "POST commands" -> {
                CommandOutcome outcome = CommandOutcome.of(
                        cells.run(id, request.json(RunCommand.class).request()));
                metrics.commandEnded(outcome);
                yield Json.write(outcome);
            }
            case "POST processes" -> {
                RunProcess run = request.json(RunProcess.class);
                yield Json.write(CommandOutcome.of(cells.execute(id, orNew(run.requestId()), run.request())));
            }
            case "PUT files" -> {
                cells.putFiles(id, path(request), request.body(MAX_FILES_BYTES));
                yield OK;
            }
            case "GET files" -> cells.getFiles(id, request.all("path"), maxBytes(request));
            case "GET changes" -> Json.write(cells.changes(id));
            default -> throw unknown(request);
        };
    }

    private static String path(Request request) {
        List<String> paths = request.all("path");
        if (paths.size() != 1) {
            throw new IllegalArgumentException("path: give exactly one");
        }
        return paths.getFirst();
    }

    private static long maxBytes(Request request) {
        List<String> given = request.all("maxBytes");
        try {
            return given.isEmpty() ? MAX_FILES_BYTES : Math.min(Long.parseLong(given.getFirst()), MAX_FILES_BYTES);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("maxBytes '" + given.getFirst() + "': use a number", e);
        }
    }

    private static String orNew(String requestId) {
        return requestId == null ? UUID.randomUUID().toString() : requestId;
    }

    private static void requirePost(String method, Request request) throws SandboxFailure {
        if (!method.equals("POST")) {
            throw unknown(request);
        }
    }

    private static SandboxFailure unknown(Request request) {
        return new SandboxFailure(
                Reason.NOT_FOUND, "no " + request.method() + " /" + String.join("/", request.segments()) + " here");
    }
}
