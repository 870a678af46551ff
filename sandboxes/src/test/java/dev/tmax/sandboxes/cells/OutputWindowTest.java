package dev.tmax.sandboxes.cells;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class OutputWindowTest {

    private static OutputWindow.Text window(int limit, byte[] output, Random sizes) {
        OutputWindow window = new OutputWindow(limit);
        for (int at = 0; at < output.length; ) {
            int size = Math.min(1 + sizes.nextInt(37), output.length - at);
            window.append(output, at, size);
            at += size;
        }
        return window.text();
    }

    @RepeatedTest(50)
    void keepsExactlyTheFirstAndLastCharactersHoweverTheyArrive() {
        Random random = new Random();
        StringBuilder text = new StringBuilder();
        int count = random.nextInt(400);
        for (int i = 0; i < count; i++) {
            text.append(new String[] {"a", "ä", "日", "😀"}[random.nextInt(4)]);
        }
        OutputWindow.Text kept = window(100, text.toString().getBytes(StandardCharsets.UTF_8), random);
        if (count <= 100) {
            assertThat(kept.text()).isEqualTo(text.toString());
            assertThat(kept.truncated()).isFalse();
        } else {
            assertThat(kept.truncated()).isTrue();
            assertThat(kept.text())
                    .startsWith(text.substring(0, text.offsetByCodePoints(0, 50)) + "\n[... ")
                    .endsWith(" left out ...]\n" + text.substring(text.offsetByCodePoints(text.length(), -50)));
        }
        assertThat(kept.bytes()).isEqualTo(text.toString().getBytes(StandardCharsets.UTF_8).length);
    }

    @RepeatedTest(20)
    void anyBytesGiveTextThatCanBeWritten() {
        Random random = new Random();
        byte[] bytes = new byte[random.nextInt(2000)];
        random.nextBytes(bytes);
        String text = window(100, bytes, random).text();
        assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(text)).isTrue();
        assertThat(text.codePointCount(0, text.length())).isLessThan(150);
    }

    @Test
    void nothingIsNothing() {
        assertThat(new OutputWindow(10).text()).isEqualTo(new OutputWindow.Text("", 0, false));
    }
}
