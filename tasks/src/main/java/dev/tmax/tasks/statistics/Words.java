package dev.tmax.tasks.statistics;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** A text as words: in lower case, split on everything but a–z and 0–9. */
record Words(List<String> words) {
    static Words of(String text) {
        List<String> words = new ArrayList<>();
        for (String word : text.toLowerCase(Locale.ROOT).split("[^a-z0-9]+")) {
            if (!word.isEmpty()) {
                words.add(word);
            }
        }
        return new Words(words);
    }

    /** The different runs of n words; none where there are fewer words than that. */
    Set<String> grams(int n) {
        Set<String> grams = new HashSet<>();
        for (int first = 0; first + n <= words.size(); first++) {
            grams.add(String.join(" ", words.subList(first, first + n)));
        }
        return grams;
    }
}
