package dev.tmax.sandboxes.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RewardTest {

    private static byte[] bytes(String text) {
        return text.translateEscapes().getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {"1|1", "1.0\\n|1", " .5 \\r\\n|0.5", "0|0", "-0.0|0", "1e-1|0.1", "+1.|1", "\\t0.25\\n\\n|0.25"})
    void textIsOneNumber(String text, double reward) throws InvalidRewardException {
        assertThat(Reward.ofText(bytes(text))).isEqualTo(reward);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", " \\n", "nan", "NaN", "inf", "-inf", "1e400", "true", "1\\n0", "1,0", "\ufeff1", "1_0", "١", "-0.1",
                "1.0001", "0x1", "1f", "1d", "1 1", "e1", "."
            })
    void textThatIsNoRewardIsRefused(String text) {
        assertThatThrownBy(() -> Reward.ofText(bytes(text))).isInstanceOf(InvalidRewardException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"reward\": 1}|1",
                "{\"reward\": 0.5, \"other\": 9}|0.5",
                "{\"score\": 0.25}|0.25",
                "{\"reward\": true}|1",
                "{\"reward\": 0, \"reward\": 1}|1",
            })
    void jsonIsAnObjectOfNumbers(String json, double reward) throws InvalidRewardException {
        assertThat(Reward.ofJson(bytes(json))).isEqualTo(reward);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0.5",
                "[1]",
                "null",
                "{}",
                "{\"a\": 1, \"b\": 0}",
                "{\"reward\": \"1\"}",
                "{\"reward\": null}",
                "{\"reward\": {\"x\": 1}}",
                "{\"reward\": NaN}",
                "{\"reward\": 1} x",
                "\ufeff{\"reward\": 1}",
                "{\"reward\": 2}",
                "{\"reward\": 1, \"other\": \"text\"}",
                "{\"reward\": 1e400}"
            })
    void jsonThatIsNoRewardIsRefused(String json) {
        assertThatThrownBy(() -> Reward.ofJson(bytes(json))).isInstanceOf(InvalidRewardException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {0xff, 0x80})
    void bytesThatAreNotTextAreRefused(int value) {
        assertThatThrownBy(() -> Reward.ofText(new byte[] {'1', (byte) value}))
                .isInstanceOf(InvalidRewardException.class)
                .hasMessageContaining("UTF-8");
    }
}
