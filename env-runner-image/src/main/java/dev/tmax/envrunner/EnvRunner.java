package dev.tmax.envrunner;

import com.sun.net.httpserver.HttpServer;
import dev.tmax.sandboxes.cells.Cells;
import dev.tmax.sandboxes.cells.HostSettings;
import dev.tmax.sandboxes.cells.HostTools;
import dev.tmax.sandboxes.cells.ProcessGroups;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The env-runner: one per sandbox pod. */
public final class EnvRunner implements AutoCloseable {

    private static final int BACKLOG = 256;

    /** For the answer to whoever told it to end. */
    private static final int LAST_ANSWERS_SECONDS = 1;

    private final Cells cells;
    private final Life life;
    private final HttpServer server;
    private final ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor();

    private EnvRunner(Cells cells, Life life, String token, int port) throws IOException {
        this.cells = cells;
        this.life = life;
        this.server = HttpServer.create(new InetSocketAddress(port), BACKLOG);
        server.createContext("/", new Api(cells, life, new Metrics(), token));
        server.setExecutor(requests);
        server.start();
    }

    /** Serves until told to end, until nobody holds it, or until its deadline; then the process exits with 0. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Settings settings;
        try {
            settings = Settings.of(System.getenv());
        } catch (IllegalArgumentException e) {
            System.err.println("env-runner: " + e.getMessage());
            System.exit(2);
            return;
        }
        HostTools tools = new HostTools(
                settings.home().resolve("bin/crun"), settings.home().resolve("cell"));
        try (EnvRunner runner = start(settings, tools, ProcessGroups.none(), List.of())) {
            System.out.println("env-runner: ready on port " + runner.port());
            System.out.println("env-runner: ends, " + runner.life.awaitEnd());
        }
        System.exit(0);
    }

    /**
     * @param groups what bounds the processes of cells besides RLIMIT_NPROC
     * @param namespace command prefix that enters the mount namespace of the cells; empty: this process's own
     */
    static EnvRunner start(Settings settings, HostTools tools, ProcessGroups groups, List<String> namespace)
            throws IOException {
        Path state = settings.state();
        Cells cells = new Cells(new HostSettings(
                settings.rootFileSystem(),
                state,
                tools,
                settings.imageEnvironment(),
                settings.terminationGrace(),
                groups,
                namespace));
        return new EnvRunner(
                cells, new Life(settings.firstLease(), settings.deadline()), settings.token(), settings.port());
    }

    int port() {
        return server.getAddress().getPort();
    }

    Life life() {
        return life;
    }

    @Override
    public void close() {
        server.stop(LAST_ANSWERS_SECONDS);
        requests.shutdownNow();
        cells.close();
    }
}
