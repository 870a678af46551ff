package dev.tmax.model.cli;

import dev.tmax.model.ModelConfiguration;
import dev.tmax.model.ModelFolder;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "inspect",
        mixinStandardHelpOptions = true,
        description = "Checks a model folder and prints what it holds and what it needs.")
final class InspectCommand implements Runnable {
    private static final double MEGABYTE = 1e6;
    /** Float32 master, gradient and two moments, and bfloat16 working weights. */
    private static final int TRAINING_BYTES = 18;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "model folder")
    private Path folder;

    @Override
    public void run() {
        ModelFolder model = ModelFolder.open(folder);
        ModelConfiguration c = model.configuration();
        PrintWriter out = spec.commandLine().getOut();
        out.printf("architecture   %s%n", c.architecture().className());
        out.printf("parameters     %,d%s%n", model.parameters(), c.tied() ? " (head is the embedding)" : "");
        out.printf("layers         %d, hidden %d, feed-forward %d%n", c.layers(), c.hiddenSize(), c.feedForwardSize());
        out.printf(
                "attention      %d heads, %d key/value heads of size %d%s%n",
                c.heads(), c.keyValueHeads(), c.headSize(), c.queryKeyNorm() ? ", normalised" : "");
        out.printf("positions      %,d, rope theta %,.0f, %s%n", c.maxPositions(), c.ropeTheta(), c.ropeScaling());
        out.printf(
                "vocabulary     %,d, end of sequence %s%n",
                c.vocabulary(), model.tokenizer().endOfSequence());
        out.printf(
                "weights        %d tensors, %,.0f MB%n",
                model.weights().names().size(), model.weights().totalBytes() / MEGABYTE);
        out.printf("to train       %,.0f MB and activations%n", model.parameters() * TRAINING_BYTES / MEGABYTE);
        out.printf(
                "to generate    %,.0f MB and %,d bytes a token of context%n",
                generating(model), c.cacheBytesPerToken(2));
        out.flush();
    }

    /** Bfloat16 weights and a float32 head. */
    private static double generating(ModelFolder model) {
        ModelConfiguration c = model.configuration();
        return (2.0 * model.parameters() + 4.0 * c.vocabulary() * c.hiddenSize()) / MEGABYTE;
    }
}
