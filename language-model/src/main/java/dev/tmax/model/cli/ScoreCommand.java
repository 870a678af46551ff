package dev.tmax.model.cli;

import dev.tmax.model.ModelFolder;
import dev.tmax.model.Precision;
import dev.tmax.model.train.AdamW;
import dev.tmax.model.train.ForwardResult;
import dev.tmax.model.train.MicroBatch;
import dev.tmax.model.train.Sample;
import dev.tmax.model.train.TrainingEngine;
import dev.tmax.model.train.TrainingOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "score",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Prints the log-probability of each token of a text (standard input) after the first.")
final class ScoreCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "model folder")
    private Path folder;

    @Option(names = "--precision", defaultValue = "FP32", description = "${COMPLETION-CANDIDATES}")
    private Precision precision;

    @Option(names = "--threads", defaultValue = "2")
    private int threads;

    @Override
    public void run() {
        ModelFolder model = ModelFolder.open(folder);
        int[] tokens = model.tokenizer().encode(input());
        if (tokens.length < 2) {
            throw new IllegalArgumentException("the text has " + tokens.length + " tokens; give at least 2");
        }
        boolean[] generated = new boolean[tokens.length - 1];
        Arrays.fill(generated, true);
        MicroBatch batch = new MicroBatch(
                Arrays.copyOf(tokens, 1), List.of(new Sample(Arrays.copyOfRange(tokens, 1, tokens.length), generated)));
        try (TrainingEngine engine =
                TrainingEngine.open(model, new TrainingOptions(precision, true, threads, AdamW.recipe(), 1))) {
            print(model, tokens, engine.evaluate(batch));
        }
    }

    private static String input() {
        try {
            return new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void print(ModelFolder model, int[] tokens, ForwardResult result) {
        PrintWriter out = spec.commandLine().getOut();
        float[] logProbabilities = result.logProbabilities();
        double sum = 0;
        for (int i = 0; i < logProbabilities.length; i++) {
            String text = model.tokenizer().decode(new int[] {tokens[i + 1]}).replace("\n", "\\n");
            out.printf("%9.5f  %6d  %s%n", logProbabilities[i], tokens[i + 1], text);
            sum += logProbabilities[i];
        }
        out.printf("%9.5f  mean of %d tokens%n", sum / logProbabilities.length, logProbabilities.length);
        out.flush();
    }
}
