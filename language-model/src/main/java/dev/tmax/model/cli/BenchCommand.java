package dev.tmax.model.cli;

import dev.tmax.model.ModelFolder;
import dev.tmax.model.Precision;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Measures tokens a second of decoding and of forward and backward passes.")
final class BenchCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "model folder")
    private Path folder;

    @Option(
            names = "--rows",
            split = ",",
            defaultValue = "decode-b1,decode-b8,decode-b32,train-256,train-1024,train-group",
            description = "decode-bN sequences together, train-N tokens, train-group")
    private List<String> rows;

    @Option(
            names = "--ask",
            description = "take names of rows from standard input, one a line, so that something else runs in between")
    private boolean ask;

    @Option(names = "--rounds", defaultValue = "2", description = "measurements of a row; the first also warms up")
    private int rounds;

    @Mixin
    private SpeedSizes sizes;

    @Option(names = "--precision", defaultValue = "BF16", description = "${COMPLETION-CANDIDATES}")
    private Precision precision;

    @Option(names = "--threads", defaultValue = "1")
    private int threads;

    @Override
    public void run() {
        try (Speed speed = new Speed(ModelFolder.open(folder), precision, threads, sizes)) {
            if (ask) {
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
                        .lines()
                        .forEach(row -> print(row, speed.tokensPerSecond(row)));
            } else {
                for (String row : rows) {
                    print(
                            row,
                            Stream.generate(() -> speed.tokensPerSecond(row))
                                    .limit(rounds)
                                    .max(Double::compare)
                                    .orElseThrow());
                }
            }
        }
    }

    private void print(String row, double tokensPerSecond) {
        PrintWriter out = spec.commandLine().getOut();
        out.printf("%-12s %8.1f tokens/s  (%s, %d threads)%n", row, tokensPerSecond, precision, threads);
        out.flush();
    }
}
