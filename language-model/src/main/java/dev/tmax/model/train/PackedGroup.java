package dev.tmax.model.train;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A group in one row: the prompt, then each sample's tokens up to the last that predicts a generated one. A sample's
 * positions continue the prompt's; it sees the prompt and itself.
 *
 * @param ids {@code [tokens]}
 * @param positions {@code [tokens]}
 * @param predictors for each generated token, which row predicts it
 * @param targets the generated tokens
 * @param segments tokens of the prompt, then those kept of each sample
 */
record PackedGroup(int[] ids, int[] positions, int[] predictors, int[] targets, int[] segments) {

    static PackedGroup of(MicroBatch batch) {
        int[] prompt = batch.prompt();
        int[] kept =
                batch.samples().stream().mapToInt(PackedGroup::contextLength).toArray();
        int tokens = prompt.length + Arrays.stream(kept).sum();
        PackedGroup group = new PackedGroup(
                Arrays.copyOf(prompt, tokens),
                new int[tokens],
                new int[batch.generatedTokens()],
                new int[batch.generatedTokens()],
                IntStream.concat(IntStream.of(prompt.length), Arrays.stream(kept))
                        .toArray());
        for (int row = 0; row < prompt.length; row++) {
            group.positions[row] = row;
        }
        group.addSamples(batch.samples(), kept, prompt.length);
        return group;
    }

    /** Tokens of a sample that a generated token depends on: all before its last generated one. */
    private static int contextLength(Sample sample) {
        int last = sample.tokens().length - 1;
        while (last > 0 && !sample.generated()[last]) {
            last--;
        }
        return last;
    }

    private void addSamples(List<Sample> samples, int[] kept, int promptLength) {
        int start = promptLength;
        int next = 0;
        for (int s = 0; s < kept.length; s++) {
            int[] tokens = samples.get(s).tokens();
            boolean[] generated = samples.get(s).generated();
            for (int i = 0; i < kept[s]; i++) {
                ids[start + i] = tokens[i];
                positions[start + i] = promptLength + i;
            }
            for (int i = 0; i <= kept[s]; i++) {
                if (generated[i]) {
                    predictors[next] = i == 0 ? promptLength - 1 : start + i - 1;
                    targets[next++] = tokens[i];
                }
            }
            start += kept[s];
        }
    }

    /** The segments that have tokens; a sample of one token has none. */
    int[] runs() {
        return Arrays.stream(segments).filter(tokens -> tokens > 0).toArray();
    }

    int longestPosition() {
        return Arrays.stream(positions).max().orElse(0);
    }
}
