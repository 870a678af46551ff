package dev.tmax.model.openai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tmax.model.Fixture;
import dev.tmax.model.text.Tokenizer;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnswerTextTest {
    private final Tokenizer tokenizer = new Fixture("llama").model().tokenizer();

    private String text(List<String> stops, boolean stopped, String generated) {
        AnswerText text = new AnswerText(tokenizer.detokenizer(), stops);
        StringBuilder whole = new StringBuilder();
        for (int token : tokenizer.encode(generated)) {
            whole.append(text.add(token));
        }
        return whole.append(text.rest(stopped)).toString();
    }

    @Test
    void leavesOutTheStopStringAndWhatTheLastTokenBroughtBesides() {
        assertThat(text(List.of("END"), true, "one two END")).isEqualTo("one two ");
        assertThat(text(List.of("two", "one"), true, "zero one")).isEqualTo("zero ");
    }

    @Test
    void givesTheBeginningOfAStopStringThatDidNotCome() {
        assertThat(text(List.of("```\n"), false, "a ``` b ``")).isEqualTo("a ``` b ``");
    }

    @Test
    void holdsNothingBackThatCannotBeginAStopString() {
        AnswerText text = new AnswerText(tokenizer.detokenizer(), List.of("END"));
        StringBuilder streamed = new StringBuilder();
        for (int token : tokenizer.encode("héllo 🙂")) {
            streamed.append(text.add(token));
        }
        assertThat(streamed).hasToString("héllo 🙂");
    }
}
