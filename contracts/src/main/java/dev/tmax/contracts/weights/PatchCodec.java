package dev.tmax.contracts.weights;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;

/**
 * A lossless difference between two states of equal size: what {@link Encoding#PATCH} carries.
 *
 * <p>A state is taken as little-endian 16-bit words (a bfloat16 weight each; a float32 one is two of them) in blocks of
 * {@value PatchBlock#WORDS}. Few steps of training change few words, and those mostly by one unit in the last place, so
 * a block is stored as the gaps between its changed words and the differences of their bits.
 *
 * <pre>{@code
 * patch   = 'T' 'P' 1 block*            one block for each 128 KiB of the state; the last may be shorter
 * block   = 0                           nothing changed
 *         | 1 varint(length) changes    as below
 *         | 2 varint(length) deflated   the same changes through raw deflate
 *         | 3 byte*                     the block itself
 * changes = varint(count) varint(gap){count} varint(zigzag(new − old)){count} [last byte, where the block's size is odd]
 * }</pre>
 *
 * A gap counts the unchanged words since the last changed one. Differences wrap at 16 bits. Varints are those of
 * protobuf. Whether the result is right is for the SHA-256 of the whole state to say.
 */
public final class PatchCodec {

    static final int BLOCK_BYTES = 2 * PatchBlock.WORDS;

    private static final byte[] HEADER = {'T', 'P', 1};

    private PatchCodec() {}

    /**
     * Writes the patch from {@code base} to {@code next}, which are read side by side, once.
     *
     * @param patch not closed
     * @return its bytes; empty where the patch would be no smaller than the state, in which case writing stopped on the
     *     way and what was written is of no use
     * @throws IllegalArgumentException where the states differ in size
     */
    public static OptionalLong encode(MemorySegment base, MemorySegment next, OutputStream patch) throws IOException {
        if (base.byteSize() != next.byteSize()) {
            throw new IllegalArgumentException("states of " + base.byteSize() + " and " + next.byteSize()
                    + " bytes: a patch is between states of one model");
        }
        long size = next.byteSize();
        long written = HEADER.length;
        patch.write(HEADER);
        try (PatchBlock block = new PatchBlock()) {
            for (long from = 0; from < size; from += BLOCK_BYTES) {
                long length = Math.min(BLOCK_BYTES, size - from);
                written += block.encode(base.asSlice(from, length), next.asSlice(from, length), patch);
                if (written >= size) {
                    return OptionalLong.empty();
                }
            }
        }
        return written < size ? OptionalLong.of(written) : OptionalLong.empty();
    }

    /**
     * Turns {@code state} from the base into the next one, in place. After an exception the state is neither.
     *
     * @param patch read to its end, not closed
     * @throws PatchFormatException where the bytes are no patch for a state of this size
     */
    public static void apply(MemorySegment state, InputStream patch) throws IOException {
        DataInputStream in = new DataInputStream(patch);
        for (byte expected : HEADER) {
            if (in.read() != expected) {
                throw new PatchFormatException("it does not begin as a patch of this version");
            }
        }
        long size = state.byteSize();
        try (PatchBlock block = new PatchBlock()) {
            for (long from = 0; from < size; from += BLOCK_BYTES) {
                block.apply(state.asSlice(from, Math.min(BLOCK_BYTES, size - from)), in);
            }
        }
        if (in.read() >= 0) {
            throw new PatchFormatException("it goes on after the end of the state");
        }
    }
}
