package dev.tmax.model.train;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DeltaSegmentsTest {
    /** Prompt rows 0 to 2, first sample rows 3 and 4, an empty one, third sample rows 5 to 7. */
    private static final DeltaSegments SEGMENTS = DeltaSegments.of(new int[] {3, 2, 0, 3}, 3, 2);

    @Test
    void putsThePromptsLastTokensBeforeEverySample() {
        assertThat(SEGMENTS.window())
                .containsExactly(
                        8, 8, 0, 1, 2, //
                        1, 2, 3, 4, //
                        1, 2, //
                        1, 2, 5, 6, 7);
    }

    @Test
    void takesThePromptsChunksThenThoseOfAllSamplesLongestFirst() {
        assertThat(SEGMENTS.counts()).containsExactly(1, 1, 2, 1);
        assertThat(SEGMENTS.rows()).containsExactly(0, 1, 2, 0, 5, 6, 3, 4, 7, 0);
        assertThat(SEGMENTS.real()).containsExactly(1, 1, 1, 0, 1, 1, 1, 1, 1, 0);
    }

    @Test
    void findsEveryRowAgain() {
        assertThat(SEGMENTS.places()).containsExactly(0, 1, 2, 6, 7, 4, 5, 8);
        for (int row = 0; row < SEGMENTS.places().length; row++) {
            assertThat(SEGMENTS.rows()[SEGMENTS.places()[row]]).isEqualTo(row);
        }
    }

    @Test
    void readsEachTokensConvolutionWhereItsWindowEnds() {
        for (int place = 0; place < SEGMENTS.rows().length; place++) {
            if (SEGMENTS.real()[place] == 1) {
                assertThat(SEGMENTS.window()[SEGMENTS.convolved()[place] + 2]).isEqualTo(SEGMENTS.rows()[place]);
            }
        }
    }
}
