package dev.tmax.model.train;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PackedGroupTest {
    private static final MicroBatch GROUP = new MicroBatch(
            new int[] {10, 11},
            List.of(
                    new Sample(new int[] {20, 21, 22, 23}, new boolean[] {true, false, true, false}),
                    new Sample(new int[] {30, 31}, new boolean[] {true, true})));

    @Test
    void holdsThePromptOnceAndOnlyTokensThatAGeneratedOneDependsOn() {
        PackedGroup packed = PackedGroup.of(GROUP);
        assertThat(packed.ids()).containsExactly(10, 11, 20, 21, 30);
        assertThat(packed.positions()).containsExactly(0, 1, 2, 3, 2);
    }

    @Test
    void predictsEachGeneratedTokenFromTheOneBefore() {
        PackedGroup packed = PackedGroup.of(GROUP);
        assertThat(packed.targets()).containsExactly(20, 22, 30, 31);
        assertThat(packed.predictors()).containsExactly(1, 3, 1, 4);
    }

    @Test
    void isARunOfThePromptAndOneOfEachSampleThatFollowsIt() {
        PackedGroup packed = PackedGroup.of(GROUP);
        assertThat(packed.runs()).containsExactly(2, 2, 1);
    }

    @Test
    void hasNoRunForASampleOfOneToken() {
        Sample single = new Sample(new int[] {20}, new boolean[] {true});
        PackedGroup packed = PackedGroup.of(new MicroBatch(new int[] {10, 11}, List.of(single)));
        assertThat(packed.runs()).containsExactly(2);
        assertThat(packed.predictors()).containsExactly(1);
    }

    @Test
    void knowsWhereASamplesValuesBegin() {
        assertThat(GROUP.generatedTokens()).isEqualTo(4);
        assertThat(GROUP.offset(1)).isEqualTo(2);
        assertThat(GROUP.tokens()).isEqualTo(8);
    }
}
