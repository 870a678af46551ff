package dev.tmax.model.openai;

import dev.tmax.model.text.Detokenizer;
import java.util.List;

/** Text of an answer as its tokens come, without the stop string that ends it. */
final class AnswerText {
    private final Detokenizer detokenizer;
    private final List<String> stops;
    /** Text that may turn out to be the beginning of a stop string. */
    private String held = "";

    AnswerText(Detokenizer detokenizer, List<String> stops) {
        this.detokenizer = detokenizer;
        this.stops = stops;
    }

    /** Adds a token; returns the text that is certain to belong to the answer. */
    String add(int token) {
        held += detokenizer.add(token);
        int certain = held.length();
        for (String stop : stops) {
            int found = held.indexOf(stop);
            certain = Math.min(certain, found >= 0 ? found : held.length() - beginning(stop));
        }
        String text = held.substring(0, certain);
        held = held.substring(certain);
        return text;
    }

    /** How many of the held text's last characters begin a stop string. */
    private int beginning(String stop) {
        for (int length = Math.min(stop.length() - 1, held.length()); length > 0; length--) {
            if (held.endsWith(stop.substring(0, length))) {
                return length;
            }
        }
        return 0;
    }

    /** What is left at the end of an answer: nothing if a stop string ended it. */
    String rest(boolean stopped) {
        return stopped ? "" : held;
    }
}
