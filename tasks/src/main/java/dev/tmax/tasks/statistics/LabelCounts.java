package dev.tmax.tasks.statistics;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * How often each label of an axis occurs.
 *
 * @param counts by label, the most frequent first
 * @param missing tasks without a label
 */
public record LabelCounts(Map<String, Integer> counts, int missing) {
    public LabelCounts {
        counts = new LinkedHashMap<>(counts);
    }

    /** Counts the labels of tasks, one each. */
    public static LabelCounts of(Collection<Optional<String>> labels) {
        Map<String, Integer> counted = new TreeMap<>();
        int missing = 0;
        for (Optional<String> label : labels) {
            if (label.isPresent()) {
                counted.merge(label.get(), 1, Integer::sum);
            } else {
                missing++;
            }
        }
        List<Map.Entry<String, Integer>> sorted = counted.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .toList();
        Map<String, Integer> counts = new LinkedHashMap<>();
        sorted.forEach(entry -> counts.put(entry.getKey(), entry.getValue()));
        return new LabelCounts(counts, missing);
    }

    /**
     * exp(H)/N, where H is the entropy of the labels in nats and N their number: 1 where all are equally frequent, near
     * 1/N where one of them has almost everything. Tasks without a label are left out; empty where no task has one.
     */
    public OptionalDouble balance() {
        if (counts.isEmpty()) {
            return OptionalDouble.empty();
        }
        double total = counts.values().stream().mapToInt(Integer::intValue).sum();
        double entropy = 0;
        for (int count : counts.values()) {
            double share = count / total;
            entropy -= share * Math.log(share);
        }
        return OptionalDouble.of(Math.exp(entropy) / counts.size());
    }
}
