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
import dev.tmax.model.train.Sample;
import dev.tmax.model.train.TrainingEngine;
import dev.tmax.model.train.TrainingOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Measures one model in one precision, in tokens a second. Rows are named {@code decode-bN} (N sequences behind one
 * prompt, the prompt's step not counted), {@code train-N} (forward and backward of N tokens, in sequences of at most 256
 * packed into one row) and {@code train-group} (forward and backward of groups; prompts counted once a sample, as one who
 * computes every sample whole would).
 */
final class Speed implements AutoCloseable {
    private static final int SEQUENCE = 256;
    private static final String DECODE = "decode-b";
    private static final String GROUP = "train-group";
    private static final String TRAIN = "train-";

    private final ModelFolder model;
    private final Precision precision;
    private final int threads;
    private final SpeedSizes sizes;
    private final Random random = new Random(1);
    private final Map<Integer, DecodeEngine> decoders = new HashMap<>();
    private TrainingEngine trainer;

    Speed(ModelFolder model, Precision precision, int threads, SpeedSizes sizes) {
        this.model = model;
        this.precision = precision;
        this.threads = threads;
        this.sizes = sizes;
    }

    /**
     * Measures a row once. The first time opens its engine, and compiles kernels.
     *
     * @throws IllegalArgumentException for a name that is none
     */
    double tokensPerSecond(String row) {
        if (row.equals(GROUP)) {
            MicroBatch group = row(sizes.prompt, sizes.samples, sizes.response);
            int whole = sizes.samples * (sizes.prompt + sizes.response);
            return train(IntStream.range(0, sizes.groups).mapToObj(_ -> group).toList(), sizes.groups * whole);
        }
        if (row.startsWith(DECODE)) {
            return decode(number(row, DECODE));
        }
        if (row.startsWith(TRAIN)) {
            int tokens = number(row, TRAIN);
            int sequences = Math.ceilDiv(tokens, SEQUENCE);
            return train(List.of(row(1, sequences, tokens / sequences)), tokens);
        }
        throw unknown(row);
    }

    private static int number(String row, String prefix) {
        try {
            return Integer.parseInt(row.substring(prefix.length()));
        } catch (NumberFormatException e) {
            throw unknown(row);
        }
    }

    private static IllegalArgumentException unknown(String row) {
        return new IllegalArgumentException(
                "row '" + row + "': give decode-bN, train-N with a number for N, or train-group");
    }

    private double decode(int batch) {
        DecodeEngine engine = decoders.computeIfAbsent(
                batch,
                slots -> DecodeEngine.open(
                        model, new DecodeOptions(slots, sizes.prompt + sizes.newTokens + 1, precision, true, threads)));
        int[] prompt = tokens(sizes.prompt);
        List<Long> ids = new ArrayList<>();
        for (int sequence = 0; sequence < batch; sequence++) {
            ids.add(engine.start(
                    new Prompt(prompt),
                    new GenerationLimits(sizes.newTokens, List.of(), Set.of()),
                    SamplingParameters.temperature(1),
                    sequence));
        }
        engine.step();
        long begin = System.nanoTime();
        for (int step = 1; step < sizes.newTokens; step++) {
            engine.step();
        }
        double seconds = seconds(begin);
        ids.forEach(engine::finish);
        return batch * (sizes.newTokens - 1) / seconds;
    }

    private MicroBatch row(int prompt, int samples, int response) {
        boolean[] generated = new boolean[response];
        Arrays.fill(generated, true);
        List<Sample> group = new ArrayList<>();
        for (int sample = 0; sample < samples; sample++) {
            group.add(new Sample(tokens(response), generated));
        }
        return new MicroBatch(tokens(prompt), group);
    }

    private double train(List<MicroBatch> rows, int tokens) {
        if (trainer == null) {
            trainer = TrainingEngine.open(model, new TrainingOptions(precision, true, threads, AdamW.recipe(), 1));
        }
        long begin = System.nanoTime();
        for (MicroBatch row : rows) {
            float[] coefficients = new float[row.generatedTokens()];
            Arrays.fill(coefficients, -1f / tokens);
            trainer.backward(trainer.forward(row), coefficients);
        }
        double seconds = seconds(begin);
        trainer.zeroGradients();
        return tokens / seconds;
    }

    private static double seconds(long begin) {
        return (System.nanoTime() - begin) / 1e9;
    }

    private int[] tokens(int count) {
        return random.ints(count, 3, model.configuration().vocabulary()).toArray();
    }

    @Override
    public void close() {
        decoders.values().forEach(DecodeEngine::close);
        if (trainer != null) {
            trainer.close();
        }
    }
}
