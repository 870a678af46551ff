package dev.tmax.model.cli;

import dev.tmax.model.Architecture;
import dev.tmax.model.ModelFolder;
import dev.tmax.model.random.RandomModel;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "random",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Writes a small model with random weights, a byte-level tokenizer and a chat template.")
final class RandomCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "folder to write")
    private Path folder;

    @Option(names = "--architecture", defaultValue = "LLAMA", description = "${COMPLETION-CANDIDATES}")
    private Architecture architecture;

    @Option(names = "--hidden", defaultValue = "192", description = "width")
    private int hidden;

    @Option(names = "--layers", defaultValue = "3")
    private int layers;

    @Option(names = "--heads", defaultValue = "6", description = "query heads; half as many key/value heads")
    private int heads;

    @Option(names = "--feed-forward", defaultValue = "512", description = "width of the feed-forward")
    private int feedForward;

    @Option(names = "--vocabulary", defaultValue = "512", description = "most tokens")
    private int vocabulary;

    @Option(names = "--positions", defaultValue = "4096")
    private int positions;

    @Option(names = "--seed", defaultValue = "1")
    private long seed;

    @Override
    public void run() {
        ModelFolder model = new RandomModel(
                        architecture, hidden, layers, heads, feedForward, vocabulary, positions, seed)
                .write(folder);
        spec.commandLine().getOut().printf("%s: %,d parameters%n", folder, model.parameters());
    }
}
