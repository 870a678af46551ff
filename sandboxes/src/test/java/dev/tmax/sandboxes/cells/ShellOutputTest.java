package dev.tmax.sandboxes.cells;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShellOutputTest {

    private static void feed(ShellOutput output, String text, int size) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        for (int at = 0; at < bytes.length; at += size) {
            byte[] part = java.util.Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + size));
            output.feed(part, part.length);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 7, 1000})
    void theMarkDividesTheOutputHoweverItArrives(int size) {
        ShellOutput output = new ShellOutput();
        feed(output, "early ", size);
        var first = output.expect("abcd", 1000);
        feed(output, "one \036abc \036\036ab\036abcx end\036abcdlate ", size);
        assertThat(first)
                .isCompletedWithValueMatching(text -> text.text().equals("early one \036abc \036\036ab\036abcx end"));
        var second = output.expect("efgh", 1000);
        feed(output, "two", size);
        assertThat(second).isNotDone();
        assertThat(output.soFar().text()).isEqualTo("late two");
        feed(output, "\036efgh", size);
        assertThat(second).isCompletedWithValueMatching(text -> text.text().equals("late two"));
    }
}
