package dev.tmax.model.random;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Learns a byte-level BPE vocabulary from a text: the most frequent pair of neighbours becomes a token, again and again
 * (Sennrich et al., Neural Machine Translation of Rare Words with Subword Units).
 *
 * @param tokens the 256 bytes, then merged tokens
 * @param merges the pair each merged token is made of, joined by a space
 */
record BytePairs(List<String> tokens, List<String> merges) {
    /** Digits one by one, then the words of GPT-2's pattern. */
    private static final Pattern WORD =
            Pattern.compile("\\p{N}|'(?:s|t|re|ve|m|ll|d)| ?\\p{L}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+");

    /**
     * Learns merges.
     *
     * @param tokens size of the vocabulary; fewer if the text has no more pairs
     */
    static BytePairs learn(String text, int tokens) {
        Map<String, Integer> counts = new HashMap<>();
        for (Matcher word = WORD.matcher(text); word.find(); ) {
            counts.merge(word.group(), 1, Integer::sum);
        }
        Map<List<String>, Integer> words = new HashMap<>();
        counts.forEach((word, count) -> words.put(bytes(word), count));
        BytePairs pairs = new BytePairs(new ArrayList<>(), new ArrayList<>());
        for (int value = 0; value < 256; value++) {
            pairs.tokens.add(letter(value));
        }
        Map<List<String>, Integer> current = words;
        while (pairs.tokens.size() < tokens) {
            List<String> pair = mostFrequent(current);
            if (pair.isEmpty()) {
                break;
            }
            current = merged(current, pair);
            pairs.tokens.add(pair.get(0) + pair.get(1));
            pairs.merges.add(pair.get(0) + " " + pair.get(1));
        }
        return pairs;
    }

    private static List<String> mostFrequent(Map<List<String>, Integer> words) {
        Map<List<String>, Integer> pairs = new HashMap<>();
        words.forEach((word, count) -> {
            for (int i = 1; i < word.size(); i++) {
                pairs.merge(List.of(word.get(i - 1), word.get(i)), count, Integer::sum);
            }
        });
        // Ties go by text, so that the result does not depend on the order of a map.
        return pairs.entrySet().stream()
                .max(Map.Entry.<List<String>, Integer>comparingByValue()
                        .thenComparing(entry -> entry.getKey().toString(), Comparator.reverseOrder()))
                .map(Map.Entry::getKey)
                .orElse(List.of());
    }

    private static Map<List<String>, Integer> merged(Map<List<String>, Integer> words, List<String> pair) {
        Map<List<String>, Integer> result = new HashMap<>();
        words.forEach((word, count) -> result.merge(merged(word, pair), count, Integer::sum));
        return result;
    }

    private static List<String> merged(List<String> word, List<String> pair) {
        List<String> result = new ArrayList<>();
        for (int i = 0; i < word.size(); i++) {
            if (i + 1 < word.size() && word.subList(i, i + 2).equals(pair)) {
                result.add(pair.get(0) + pair.get(1));
                i++;
            } else {
                result.add(word.get(i));
            }
        }
        return result;
    }

    private static List<String> bytes(String word) {
        List<String> letters = new ArrayList<>();
        for (byte value : word.getBytes(StandardCharsets.UTF_8)) {
            letters.add(letter(Byte.toUnsignedInt(value)));
        }
        return letters;
    }

    /** GPT-2's visible letter for a byte: printable Latin-1 stands for itself, the rest is moved above 255. */
    private static String letter(int value) {
        if (isVisible(value)) {
            return Character.toString(value);
        }
        int moved = 256;
        for (int other = 0; other < value; other++) {
            moved += isVisible(other) ? 0 : 1;
        }
        return Character.toString(moved);
    }

    private static boolean isVisible(int value) {
        return (value >= '!' && value <= '~') || (value >= 0xA1 && value <= 0xFF && value != 0xAD);
    }
}
