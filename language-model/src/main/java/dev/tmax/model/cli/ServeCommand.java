package dev.tmax.model.cli;

import dev.tmax.model.ModelFolder;
import dev.tmax.model.Precision;
import dev.tmax.model.decode.DecodeOptions;
import dev.tmax.model.openai.OpenAiServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = {
            "Serves a model as OpenAI's HTTP interface, until interrupted:",
            "GET /v1/models, POST /v1/completions, POST /v1/chat/completions (streaming too).",
            "Try: curl localhost:8000/v1/chat/completions -d '{\"messages\": [{\"role\": \"user\", \"content\": \"hi\"}]}'"
        })
final class ServeCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "model folder")
    private Path folder;

    @Option(names = "--host", defaultValue = "127.0.0.1", description = "address to listen on")
    private String host;

    @Option(names = "--port", defaultValue = "8000", description = "0 for any free one")
    private int port;

    @Option(names = "--name", description = "what clients call the model; the folder's name by default")
    private String name;

    @Option(names = "--slots", defaultValue = "8", description = "answers decoded together; more wait")
    private int slots;

    @Option(names = "--context", defaultValue = "2048", description = "most tokens of prompt and answer")
    private int context;

    @Option(names = "--precision", defaultValue = "BF16", description = "${COMPLETION-CANDIDATES}")
    private Precision precision;

    @Option(names = "--threads", defaultValue = "2")
    private int threads;

    @Override
    public void run() {
        ModelFolder model = ModelFolder.open(folder);
        int positions = Math.min(context, model.configuration().maxPositions());
        String served =
                name == null ? folder.toAbsolutePath().normalize().getFileName().toString() : name;
        DecodeOptions options = new DecodeOptions(slots, positions, precision, true, threads);
        try (OpenAiServer server = OpenAiServer.open(model, options, served, new InetSocketAddress(host, port))) {
            Runtime.getRuntime().addShutdownHook(new Thread(server::close));
            spec.commandLine().getOut().printf("serving %s at http://%s:%d/v1%n", served, host, server.port());
            spec.commandLine().getOut().flush();
            new CountDownLatch(1).await();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
