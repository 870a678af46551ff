package dev.tmax.contracts.weights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PatchCodecTest {

    private static final int BLOCK = PatchCodec.BLOCK_BYTES;

    private final RandomGenerator random = new Random(7);

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 7, 4096, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK, 5 * BLOCK + 12_345})
    void givesBackTheNextStateForEverySizeAndShareOfChangedWords(int size) throws IOException {
        for (double changed : new double[] {0, 0.0001, 0.01, 0.2, 0.5}) {
            byte[] base = randomState(size);
            byte[] next = nudged(base, changed);

            byte[] patch = patch(base, next);

            if (patch != null) {
                assertThat(applied(base, patch)).as("%s changed", changed).isEqualTo(next);
                assertThat(patch.length).isLessThan(size);
            } else {
                assertThat(size).as("a small step of a large state has a patch").isLessThan(4096);
            }
        }
    }

    @Test
    void givesBackWordsThatChangedBeyondRecognition() throws IOException {
        byte[] base = randomState(4 * BLOCK);
        byte[] next = base.clone();
        byte[] foreign = randomState(2 * BLOCK);
        System.arraycopy(foreign, 0, next, BLOCK + 1, foreign.length);

        assertThat(applied(base, patch(base, next))).isEqualTo(next);
    }

    @Test
    void takesAFewBytesForStatesThatAreEqual() throws IOException {
        byte[] base = randomState(10 * BLOCK);

        assertThat(patch(base, base)).hasSizeLessThan(20);
    }

    @Test
    void isMuchSmallerThanAStateOfWhichATenthMovedByOneUnit() throws IOException {
        byte[] base = randomState(10 * BLOCK);

        assertThat(patch(base, nudged(base, 0.1)).length).isLessThan(base.length / 10);
    }

    @Test
    void saysSoWhereThePatchIsNoSmaller() throws IOException {
        assertThat(PatchCodec.encode(
                        MemorySegment.ofArray(randomState(3 * BLOCK)),
                        MemorySegment.ofArray(randomState(3 * BLOCK)),
                        new ByteArrayOutputStream()))
                .isEmpty();
    }

    @Test
    void refusesStatesOfDifferentModels() {
        assertThatThrownBy(() -> PatchCodec.encode(
                        MemorySegment.ofArray(new byte[4]),
                        MemorySegment.ofArray(new byte[6]),
                        new ByteArrayOutputStream()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("4 and 6 bytes");
    }

    @Test
    void neverTakesADamagedPatchForTheNextState() throws IOException {
        byte[] base = randomState(2 * BLOCK + 8);
        byte[] next = nudged(base, 0.05);
        byte[] patch = patch(base, next);
        for (int i = 0; i < 500; i++) {
            byte[] damaged = patch.clone();
            damaged[random.nextInt(patch.length)] ^= (byte) (1 << random.nextInt(8));

            byte[] result = appliedOrNull(base, damaged);

            assertThat(Arrays.equals(result, next)).isFalse();
        }
    }

    @Test
    void refusesAPatchThatIsCutOrTooLongOrForAnotherSize() throws IOException {
        byte[] base = randomState(2 * BLOCK);
        byte[] patch = patch(base, nudged(base, 0.05));

        for (byte[] wrong : new byte[][] {
            Arrays.copyOf(patch, patch.length - 1), Arrays.copyOf(patch, patch.length + 1), new byte[0], {'T', 'P', 9}
        }) {
            assertThatThrownBy(() -> applied(base, wrong)).isInstanceOf(PatchFormatException.class);
        }
        assertThatThrownBy(() -> applied(randomState(3 * BLOCK), patch)).isInstanceOf(PatchFormatException.class);
    }

    private byte[] randomState(int size) {
        byte[] state = new byte[size];
        random.nextBytes(state);
        return state;
    }

    /** The state with this share of its words moved by one unit in the last place, as a small step of training does. */
    private byte[] nudged(byte[] base, double share) {
        byte[] next = base.clone();
        for (int i = 0; i + 1 < next.length; i += 2) {
            if (random.nextDouble() < share) {
                int word = (next[i] & 0xff) | next[i + 1] << 8;
                word += random.nextBoolean() ? 1 : -1;
                next[i] = (byte) word;
                next[i + 1] = (byte) (word >> 8);
            }
        }
        return next;
    }

    /** Null where it is no smaller. */
    private static byte[] patch(byte[] base, byte[] next) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        OptionalLong bytes = PatchCodec.encode(MemorySegment.ofArray(base), MemorySegment.ofArray(next), out);
        if (bytes.isEmpty()) {
            return null;
        }
        assertThat(bytes).hasValue(out.size());
        return out.toByteArray();
    }

    private static byte[] applied(byte[] base, byte[] patch) throws IOException {
        byte[] state = base.clone();
        PatchCodec.apply(MemorySegment.ofArray(state), new ByteArrayInputStream(patch));
        return state;
    }

    private static byte[] appliedOrNull(byte[] base, byte[] patch) {
        try {
            return applied(base, patch);
        } catch (IOException e) {
            return null;
        }
    }
}
