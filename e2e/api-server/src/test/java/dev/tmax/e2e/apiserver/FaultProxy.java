package dev.tmax.e2e.apiserver;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * Stands between an operator and the real API server, and does to chosen requests what bad API servers and networks do. All
 * others pass, watches included. Plain HTTP/1.1 towards the operator, one request per connection, TLS to the API server.
 */
final class FaultProxy implements AutoCloseable {

    /** What happens to a request. */
    sealed interface Fault {

        /** Refused with a status of the API server's kind; not executed. */
        record Refuse(int code, String reason, String message) implements Fault {}

        /** Never answered, and not executed: the client has to give up. */
        record Hang() implements Fault {}

        /** Executed; then the connection breaks, so that the client does not learn it. */
        record LoseAnswer() implements Fault {}

        /** Every connection breaks, and no other is taken: the operator's process is gone. */
        record Cut(boolean executed) implements Fault {}
    }

    /** The first line of a request. */
    record Request(String method, String path) {

        static Predicate<Request> to(String method, String resource) {
            return request -> request.method().matches(method)
                    && request.path().replaceAll("\\?.*", "").matches(".*/" + resource + "(/[^/]+)?");
        }

        static Predicate<Request> writes() {
            return request -> !request.method().equals("GET") && !request.path().contains("/leases");
        }

        static Predicate<Request> reads() {
            return request -> request.method().equals("GET")
                    && !request.path().contains("watch=true")
                    && !request.path().contains("/leases");
        }
    }

    private static final class Rule {

        private final Predicate<Request> kind;
        private final int every;
        private final Fault fault;
        private final AtomicInteger seen = new AtomicInteger();

        private Rule(Predicate<Request> kind, int every, Fault fault) {
            this.kind = kind;
            this.every = every;
            this.fault = fault;
        }

        private boolean strikes(Request request) {
            return kind.test(request) && seen.incrementAndGet() % every == 0;
        }
    }

    private static final SSLSocketFactory TRUSTING = trusting();

    /** An offer of HTTP/2 among them, which would carry many requests past this class. */
    private static final Set<String> PER_CONNECTION = Set.of("connection", "upgrade", "http2-settings");

    private final ServerSocket listener;
    private final URI server;
    private final List<Rule> rules = new CopyOnWriteArrayList<>();
    private final Queue<Request> passed = new ConcurrentLinkedQueue<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger struck = new AtomicInteger();
    private volatile boolean cut;

    FaultProxy(URI server) {
        this.server = server;
        try {
            listener = new ServerSocket(0, 512, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().name("fault-proxy").start(this::accept);
    }

    String url() {
        return "http://127.0.0.1:" + listener.getLocalPort();
    }

    /** Every n-th request of the kind; a request meets the first rule that strikes. */
    void strike(Predicate<Request> kind, int every, Fault fault) {
        rules.add(new Rule(kind, every, fault));
    }

    void calm() {
        rules.clear();
    }

    int struck() {
        return struck.get();
    }

    boolean isCut() {
        return cut;
    }

    /** Requests of a kind so far, whatever became of them. */
    long count(Predicate<Request> kind) {
        return passed.stream().filter(kind).count();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                open.add(client);
                Thread.ofVirtual().start(() -> serve(client));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            String head = head(client.getInputStream());
            if (head.isEmpty()) {
                return;
            }
            String[] line = head.substring(0, head.indexOf('\r')).split(" ", 3);
            Request request = new Request(line[0], line[1]);
            passed.add(request);
            Fault fault = rules.stream()
                    .filter(rule -> rule.strikes(request))
                    .map(rule -> rule.fault)
                    .findFirst()
                    .orElse(null);
            if (fault != null) {
                struck.incrementAndGet();
            }
            switch (fault) {
                case null -> forward(client, head, client.getOutputStream());
                case Fault.Refuse refusal -> refuse(client, head, refusal);
                case Fault.Hang hang -> client.getInputStream().transferTo(OutputStream.nullOutputStream());
                case Fault.LoseAnswer lost -> {
                    forward(client, head, OutputStream.nullOutputStream());
                    client.setSoLinger(true, 0);
                }
                case Fault.Cut end -> {
                    if (end.executed()) {
                        forward(client, head, OutputStream.nullOutputStream());
                    }
                    close();
                }
            }
        } catch (IOException e) {
            // One side has hung up, which is what this class is for.
        } finally {
            open.remove(client);
        }
    }

    private void forward(Socket client, String head, OutputStream answer) throws IOException {
        try (Socket upstream = TRUSTING.createSocket(server.getHost(), server.getPort())) {
            open.add(upstream);
            try {
                upstream.getOutputStream().write(oneOnly(head).getBytes(StandardCharsets.ISO_8859_1));
                Thread.ofVirtual().start(() -> pump(client, upstream));
                upstream.getInputStream().transferTo(answer);
            } finally {
                open.remove(upstream);
            }
        }
    }

    private static void pump(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // The answer was complete, or one side has hung up.
        }
    }

    private static void refuse(Socket client, String head, Fault.Refuse refusal) throws IOException {
        client.getInputStream().readNBytes(contentLength(head));
        String body = """
            {"kind":"Status","apiVersion":"v1","status":"Failure","message":"%s","reason":"%s","code":%d}\
            """.formatted(refusal.message(), refusal.reason(), refusal.code());
        String retryAfter = refusal.code() == 429 ? "Retry-After: 1\r\n" : "";
        client.getOutputStream()
                .write(("HTTP/1.1 " + refusal.code() + " " + refusal.reason() + "\r\nContent-Type: application/json\r\n"
                                + retryAfter + "Content-Length: " + body.length() + "\r\nConnection: close\r\n\r\n"
                                + body)
                        .getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int ending = 0;
        while (ending < 4) {
            int next = in.read();
            if (next < 0) {
                return "";
            }
            head.write(next);
            ending = next == (ending % 2 == 0 ? '\r' : '\n') ? ending + 1 : next == '\r' ? 1 : 0;
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }

    /** The same head, asking the server to hang up after its answer; that of a WebSocket stays as it is. */
    private static String oneOnly(String head) {
        if (head.toLowerCase(Locale.ROOT).contains("\r\nupgrade: websocket")) {
            return head;
        }
        return head.lines()
                .filter(line -> !line.isEmpty() && !PER_CONNECTION.contains(name(line)))
                .collect(Collectors.joining("\r\n", "", "\r\nConnection: close\r\n\r\n"));
    }

    private static String name(String line) {
        return line.substring(0, Math.max(0, line.indexOf(':'))).toLowerCase(Locale.ROOT);
    }

    private static int contentLength(String head) {
        return head.lines()
                .map(line -> line.toLowerCase(Locale.ROOT))
                .filter(line -> line.startsWith("content-length:"))
                .map(line ->
                        Integer.parseInt(line.substring(line.indexOf(':') + 1).trim()))
                .findFirst()
                .orElse(0);
    }

    private static SSLSocketFactory trusting() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new TrustsAll()}, null);
            return context.getSocketFactory();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The API server of the tests makes its own certificate. */
    private static final class TrustsAll implements X509TrustManager {

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    /** Breaks every connection, in the middle of whatever it carries, and takes no other. */
    @Override
    public void close() {
        cut = true;
        try {
            listener.close();
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
