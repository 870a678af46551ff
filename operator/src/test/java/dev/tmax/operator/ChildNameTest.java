package dev.tmax.operator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ChildNameTest {

    @Test
    void aShortNameIsKeptWhole() {
        assertThat(ChildName.of("run", "trainer", ChildName.STATEFUL_SET)).isEqualTo("run-trainer");
    }

    @Test
    void aLongNameIsShortenedTheSameWayEveryTime() {
        String name = ChildName.of("r".repeat(63), "trainer", ChildName.STATEFUL_SET);

        assertThat(name).hasSize(52).endsWith("-trainer").isEqualTo(ChildName.of("r".repeat(63), "trainer", 52));
    }

    @Test
    void longNamesWithOneBeginningStayApart() {
        String beginning = "r".repeat(62);

        assertThat(ChildName.of(beginning + "a", "trainer", 52))
                .isNotEqualTo(ChildName.of(beginning + "b", "trainer", 52));
    }

    @Test
    void noHyphenIsDoubledWhereTheNameIsCut() {
        String parent = "r".repeat(34) + "-".repeat(1) + "x".repeat(28);

        assertThat(ChildName.of(parent, "trainer", 52)).doesNotContain("--");
    }
}
