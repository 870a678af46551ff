package dev.tmax.model.cli;

import dev.tmax.model.ModelFolder;
import dev.tmax.model.Precision;
import dev.tmax.model.decode.DecodeEngine;
import dev.tmax.model.decode.DecodeOptions;
import dev.tmax.model.decode.GenerationLimits;
import dev.tmax.model.decode.Prompt;
import dev.tmax.model.decode.SamplingParameters;
import dev.tmax.model.train.AdamW;
import dev.tmax.model.train.MicroBatch;
import dev.tmax.model.train.OptimizerResult;
import dev.tmax.model.train.Sample;
import dev.tmax.model.train.TrainingEngine;
import dev.tmax.model.train.TrainingOptions;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Measures tokens a second of decoding at several batch sizes and of a training step on a group.")
final class BenchCommand implements Runnable {
    private static final double NANOS = 1e9;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "model folder")
    private Path folder;

    @Option(names = "--batches", split = ",", defaultValue = "1,8,32", description = "sequences decoded together")
    private List<Integer> batches;

    @Option(names = "--prompt", defaultValue = "150", description = "prompt tokens")
    private int prompt;

    @Option(names = "--new", defaultValue = "64", description = "tokens decoded")
    private int newTokens;

    @Option(names = "--samples", defaultValue = "8", description = "samples of the training group; 0 for no training")
    private int samples;

    @Option(names = "--response", defaultValue = "30", description = "tokens of a sample")
    private int response;

    @Option(names = "--precision", defaultValue = "BF16", description = "${COMPLETION-CANDIDATES}")
    private Precision precision;

    @Option(names = "--threads", defaultValue = "1")
    private int threads;

    @Override
    public void run() {
        ModelFolder model = ModelFolder.open(folder);
        for (int batch : batches) {
            decode(model, batch);
        }
        if (samples > 0) {
            train(model);
        }
    }

    private void decode(ModelFolder model, int batch) {
        int context = prompt + newTokens + 1;
        Random random = new Random(1);
        try (DecodeEngine engine =
                DecodeEngine.open(model, new DecodeOptions(batch, context, precision, true, threads))) {
            int[] tokens =
                    random.ints(prompt, 3, model.configuration().vocabulary()).toArray();
            for (int row = 0; row < batch; row++) {
                engine.start(
                        new Prompt(tokens),
                        new GenerationLimits(newTokens, List.of(), Set.of()),
                        SamplingParameters.temperature(1),
                        row);
            }
            long begin = System.nanoTime();
            engine.step();
            long decoding = System.nanoTime();
            long best = Long.MAX_VALUE;
            long last = decoding;
            for (int step = 1; step < newTokens; step++) {
                engine.step();
                long now = System.nanoTime();
                best = Math.min(best, now - last);
                last = now;
            }
            double seconds = (last - decoding) / NANOS;
            row(
                    "decode-b" + batch,
                    batch * (newTokens - 1) / seconds,
                    "best step %.1f ms, prefill %.0f ms".formatted(best / 1e6, (decoding - begin) / 1e6));
        }
    }

    private void train(ModelFolder model) {
        Random random = new Random(1);
        int vocabulary = model.configuration().vocabulary();
        List<Sample> group = new ArrayList<>();
        boolean[] generated = new boolean[response];
        Arrays.fill(generated, true);
        for (int sample = 0; sample < samples; sample++) {
            group.add(new Sample(random.ints(response, 3, vocabulary).toArray(), generated));
        }
        MicroBatch batch = new MicroBatch(random.ints(prompt, 3, vocabulary).toArray(), group);
        float[] coefficients = new float[batch.generatedTokens()];
        Arrays.fill(coefficients, -1);
        try (TrainingEngine engine =
                TrainingEngine.open(model, new TrainingOptions(precision, true, threads, AdamW.recipe(), 1))) {
            long best = Long.MAX_VALUE;
            for (int repeat = 0; repeat < 5; repeat++) {
                long begin = System.nanoTime();
                engine.backward(engine.forward(batch), coefficients);
                best = Math.min(best, System.nanoTime() - begin);
            }
            long begin = System.nanoTime();
            OptimizerResult result = engine.step(1e-6, 1, 1.0 / coefficients.length);
            row(
                    "train-group",
                    batch.tokens() * NANOS / best,
                    "%d tokens in %.0f ms, unshared %.0f tokens/s; optimizer %.0f ms, gradient norm %.3g"
                            .formatted(
                                    batch.tokens(),
                                    best / 1e6,
                                    samples * (prompt + response) * NANOS / best,
                                    (System.nanoTime() - begin) / 1e6,
                                    result.gradientNorm()));
        }
    }

    private void row(String name, double tokensPerSecond, String detail) {
        PrintWriter out = spec.commandLine().getOut();
        out.printf("%-12s %8.1f tokens/s  (%s, %d threads; %s)%n", name, tokensPerSecond, precision, threads, detail);
        out.flush();
    }
}
