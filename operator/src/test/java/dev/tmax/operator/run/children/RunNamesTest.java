package dev.tmax.operator.run.children;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RunNamesTest {

    @Test
    void poolsOfDifferentRunsHaveDifferentNames() {
        assertThat(pool("a-b", "c")).isNotEqualTo(pool("a", "b-c")).startsWith("a-b-c-");
        assertThat(pool("a", "b".repeat(63))).isNotEqualTo(pool("a-" + "b".repeat(31), "b".repeat(31)));
    }

    @Test
    void thePoolOfTheLongestNamesIsALabel() {
        assertThat(pool("n".repeat(63), "r".repeat(63))).hasSizeLessThanOrEqualTo(63);
    }

    private static String pool(String namespace, String run) {
        return new RunNames(namespace, run, "01234567-89ab", "tmax-sandboxes").pool();
    }
}
