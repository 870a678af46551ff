package dev.tmax.model.train;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Where the tokens of a {@link PackedGroup} stand for a delta-net layer, in which each sample continues the prompt's
 * convolution and state and sees nothing of other samples.
 *
 * <p>The convolution runs over <em>extended</em> rows: every segment behind the {@code taps − 1} tokens that precede it
 * (the prompt's last ones, for a sample). The delta rule runs over chunks: those of the prompt one after another, then
 * the first of every sample, the second of every sample that has one, and so on, longest sample first. A segment's last
 * chunk is filled up with places that hold no token.
 *
 * @param window packed row of each extended row; the number of packed rows where there is no token
 * @param convolved output row of the convolution for each place in the chunks
 * @param rows packed row of each place in the chunks
 * @param real 1 where a place holds a token, else 0
 * @param places place of each packed row
 * @param counts chunks of each step
 */
record DeltaSegments(int[] window, int[] convolved, int[] rows, float[] real, int[] places, int[] counts) {

    /** Extended and chunked places of a segment. */
    private record Segment(int firstRow, int length, int firstExtended) {
        int chunks(int chunk) {
            return Math.ceilDiv(length, chunk);
        }
    }

    /**
     * Tables of a group.
     *
     * @param lengths tokens of the prompt, then of each sample
     * @param taps tokens that the convolution sees
     * @param chunk tokens of a chunk
     */
    static DeltaSegments of(int[] lengths, int taps, int chunk) {
        Segment[] segments = new Segment[lengths.length];
        int row = 0;
        int extended = 0;
        for (int s = 0; s < lengths.length; s++) {
            segments[s] = new Segment(row, lengths[s], extended);
            row += lengths[s];
            extended += lengths[s] + taps - 1;
        }
        List<Segment> samples = Arrays.stream(segments)
                .skip(1)
                .filter(segment -> segment.length > 0)
                .sorted(Comparator.comparingInt(segment -> -segment.length))
                .toList();
        int[] counts = counts(segments[0], samples, chunk);
        DeltaSegments tables = new DeltaSegments(
                window(segments, row, extended, taps),
                new int[Arrays.stream(counts).sum() * chunk],
                new int[Arrays.stream(counts).sum() * chunk],
                new float[Arrays.stream(counts).sum() * chunk],
                new int[row],
                counts);
        int next = 0;
        for (int c = 0; c < segments[0].chunks(chunk); c++) {
            next = tables.place(segments[0], c, chunk, next);
        }
        for (int c = 0; next < tables.rows.length; c++) {
            for (Segment sample : samples) {
                if (c < sample.chunks(chunk)) {
                    next = tables.place(sample, c, chunk, next);
                }
            }
        }
        return tables;
    }

    private static int[] counts(Segment prompt, List<Segment> samples, int chunk) {
        int sampleSteps = samples.isEmpty() ? 0 : samples.getFirst().chunks(chunk);
        return IntStream.concat(
                        IntStream.generate(() -> 1).limit(prompt.chunks(chunk)),
                        IntStream.range(0, sampleSteps).map(step -> (int) samples.stream()
                                .filter(sample -> step < sample.chunks(chunk))
                                .count()))
                .toArray();
    }

    private static int[] window(Segment[] segments, int rows, int extended, int taps) {
        int[] window = new int[extended];
        int prompt = segments[0].length;
        for (int s = 0; s < segments.length; s++) {
            for (int e = 0; e < segments[s].length + taps - 1; e++) {
                int own = e - (taps - 1);
                int before = s == 0 ? own : prompt + own;
                int found = own >= 0 ? segments[s].firstRow + own : before >= 0 ? before : rows;
                window[segments[s].firstExtended + e] = found;
            }
        }
        return window;
    }

    private int place(Segment segment, int index, int chunk, int next) {
        for (int i = 0; i < chunk; i++) {
            int token = index * chunk + i;
            if (token < segment.length) {
                // The first output of the convolution comes from the first taps rows, so it is that of the first token.
                convolved[next + i] = segment.firstExtended + token;
                rows[next + i] = segment.firstRow + token;
                real[next + i] = 1;
                places[segment.firstRow + token] = next + i;
            }
        }
        return next + chunk;
    }
}
