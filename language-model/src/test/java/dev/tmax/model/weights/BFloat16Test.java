package dev.tmax.model.weights;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BFloat16Test {
    @Test
    void roundsToNearestAndTiesToEven() {
        assertThat(BFloat16.of(1f)).isEqualTo((short) 0x3F80);
        assertThat(BFloat16.of(Float.intBitsToFloat(0x3F808000))).isEqualTo((short) 0x3F80);
        assertThat(BFloat16.of(Float.intBitsToFloat(0x3F818000))).isEqualTo((short) 0x3F82);
        assertThat(BFloat16.of(Float.intBitsToFloat(0x3F808001))).isEqualTo((short) 0x3F81);
        assertThat(BFloat16.of(Float.MAX_VALUE)).isEqualTo((short) 0x7F80);
        assertThat(BFloat16.toFloat(BFloat16.of(Float.NaN))).isNaN();
        assertThat(BFloat16.toFloat(BFloat16.of(-0f))).isEqualTo(-0f);
    }

    @Test
    void keepsEveryValueOfItsOwn() {
        for (int bits = 0; bits < 0x10000; bits++) {
            float value = BFloat16.toFloat((short) bits);
            if (!Float.isNaN(value)) {
                assertThat(BFloat16.of(value)).isEqualTo((short) bits);
            }
        }
    }
}
