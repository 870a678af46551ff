package dev.tmax.model.cli;

import dev.tmax.model.LayerType;
import dev.tmax.model.ModelConfiguration;
import dev.tmax.model.ModelFolder;
import dev.tmax.model.ModelRequirements;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "inspect",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = {
            "Checks a model folder and prints what it holds and what it needs.",
            "A folder with config.json alone is enough for sizes and memory."
        })
final class InspectCommand implements Runnable {
    private static final double MEGABYTE = 1e6;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "model folder")
    private Path folder;

    @Option(
            names = "--tokens",
            defaultValue = "4096",
            description = "tokens of a packed row in training, and of a sequence in generation")
    private int tokens;

    @Option(names = "--sequences", defaultValue = "8", description = "sequences generated at the same time")
    private int sequences;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        ModelConfiguration configuration = ModelFolder.configuration(folder);
        describe(out, configuration);
        if (ModelFolder.holdsWeights(folder)) {
            describe(out, ModelFolder.open(folder));
        } else {
            out.println("weights        none in the folder");
        }
        describe(out, ModelRequirements.of(configuration));
        out.flush();
    }

    private static void describe(PrintWriter out, ModelConfiguration c) {
        out.printf("architecture   %s%n", c.architecture().className());
        out.printf(
                "parameters     %,d%s%n",
                ModelRequirements.of(c).parameters(), c.tied() ? " (head is the embedding)" : "");
        out.printf("layers         %d, hidden %d, feed-forward %d%n", c.layers(), c.hiddenSize(), c.feedForwardSize());
        out.printf(
                "attention      %d layers, %d heads, %d key/value heads of size %d%s%s%n",
                c.layers(LayerType.ATTENTION),
                c.heads(),
                c.keyValueHeads(),
                c.headSize(),
                c.queryKeyNorm() ? ", normalised" : "",
                c.outputGate() ? ", gated" : "");
        c.deltaNet()
                .ifPresent(net -> out.printf(
                        "delta net      %d layers, %d key heads of size %d, %d value heads of size %d%n",
                        c.layers(LayerType.DELTA_NET),
                        net.keyHeads(),
                        net.keyHeadSize(),
                        net.valueHeads(),
                        net.valueHeadSize()));
        out.printf(
                "positions      %,d, rope theta %,.0f on %d of %d, %s%n",
                c.maxPositions(), c.ropeTheta(), c.rotarySize(), c.headSize(), c.ropeScaling());
    }

    private static void describe(PrintWriter out, ModelFolder model) {
        out.printf(
                "vocabulary     %,d, end of sequence %s%n",
                model.configuration().vocabulary(), model.tokenizer().endOfSequence());
        out.printf(
                "weights        %d tensors, %,.0f MB%n",
                model.weights().names().size(), model.weights().totalBytes() / MEGABYTE);
        model.leftOut().forEach((names, count) -> out.printf("left out       %d tensors %s%n", count, names));
    }

    private void describe(PrintWriter out, ModelRequirements needs) {
        out.printf(
                "to train       %,.0f MB and about %,.0f MB of activations for a row of %,d tokens%n",
                needs.trainingBytes() / MEGABYTE, needs.activationBytes(tokens) / MEGABYTE, tokens);
        out.printf(
                "to generate    %,.0f MB for %d sequences of %,d tokens; %,.1f MB each%n",
                needs.generatingBytes(sequences, tokens) / MEGABYTE,
                sequences,
                tokens,
                needs.sequenceBytes(tokens) / MEGABYTE);
    }
}
