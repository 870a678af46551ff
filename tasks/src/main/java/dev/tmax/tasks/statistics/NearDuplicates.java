package dev.tmax.tasks.statistics;

import dev.tmax.tasks.Task;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds pairs of tasks whose instructions are almost the same: similarity (Jaccard) of their 5-grams of words at least
 * 0.8. Candidates come from MinHash signatures of 64 values in 16 bands of 4 (a pair of similarity 0.8 is found with
 * probability 1 − (1 − 0.8⁴)¹⁶ = 0.9998); each candidate is then measured exactly.
 */
final class NearDuplicates {
    static final double THRESHOLD = 0.8;
    private static final int GRAM = 5;
    private static final int BANDS = 16;
    private static final int ROWS = 4;
    // A set made from one sentence would otherwise have all of its pairs here.
    private static final int MOST_PER_BUCKET = 50;

    private NearDuplicates() {}

    /** The pairs, the most similar first. Instructions shorter than five words are left out. */
    static List<NearDuplicate> among(List<Task> tasks) {
        List<Set<String>> grams = tasks.stream()
                .map(task -> Words.of(task.instruction()).grams(GRAM))
                .toList();
        Map<List<Integer>, List<Integer>> buckets = new HashMap<>();
        Set<List<Integer>> candidates = new LinkedHashSet<>();
        for (int task = 0; task < tasks.size(); task++) {
            if (grams.get(task).isEmpty()) {
                continue;
            }
            int[] signature = signature(grams.get(task));
            for (int band = 0; band < BANDS; band++) {
                int hash = Arrays.hashCode(Arrays.copyOfRange(signature, band * ROWS, (band + 1) * ROWS));
                List<Integer> bucket = buckets.computeIfAbsent(List.of(band, hash), _ -> new ArrayList<>());
                for (int other : bucket) {
                    candidates.add(List.of(other, task));
                }
                if (bucket.size() < MOST_PER_BUCKET) {
                    bucket.add(task);
                }
            }
        }
        List<NearDuplicate> pairs = new ArrayList<>();
        for (List<Integer> candidate : candidates) {
            int first = candidate.getFirst();
            int second = candidate.getLast();
            double similarity = similarity(grams.get(first), grams.get(second));
            if (similarity >= THRESHOLD) {
                pairs.add(new NearDuplicate(
                        tasks.get(first).id(), tasks.get(second).id(), similarity));
            }
        }
        pairs.sort(Comparator.comparingDouble(NearDuplicate::similarity)
                .reversed()
                .thenComparing(NearDuplicate::first)
                .thenComparing(NearDuplicate::second));
        return pairs;
    }

    private static int[] signature(Set<String> grams) {
        int[] smallest = new int[BANDS * ROWS];
        Arrays.fill(smallest, Integer.MAX_VALUE);
        for (String gram : grams) {
            long hash = gram.hashCode() * 0x9E3779B97F4A7C15L + gram.length();
            for (int i = 0; i < smallest.length; i++) {
                smallest[i] = Math.min(smallest[i], mix(hash + i * 0xD1B54A32D192ED03L));
            }
        }
        return smallest;
    }

    /** The finalizer of SplitMix64: one hash function for each i. */
    private static int mix(long value) {
        long mixed = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return (int) ((mixed ^ (mixed >>> 31)) >>> 33);
    }

    private static double similarity(Set<String> first, Set<String> second) {
        Set<String> shared = new HashSet<>(first);
        shared.retainAll(second);
        return (double) shared.size() / (first.size() + second.size() - shared.size());
    }
}
