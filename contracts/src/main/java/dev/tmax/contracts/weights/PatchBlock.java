package dev.tmax.contracts.weights;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** Encodes and applies one block at a time with the same buffers. See {@link PatchCodec} for the format. */
final class PatchBlock implements AutoCloseable {

    static final int WORDS = 64 * 1024;

    private static final int UNCHANGED = 0;
    private static final int CHANGES = 1;
    private static final int DEFLATED = 2;
    private static final int WHOLE = 3;

    /** A gap or a difference has at most 17 bits. */
    private static final int LONGEST_VARINT = 3;

    private static final int LARGEST_CHANGES = 2 * LONGEST_VARINT * WORDS + LONGEST_VARINT + 1;
    /** Deflating fewer bytes saves less than its own header and time cost. */
    private static final int WORTH_DEFLATING = 512;

    private static final ValueLayout.OfShort WORD = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong FOUR_WORDS =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    // Runs do not repeat, only small numbers do: Huffman codes alone are as small here and several times as fast.
    private final Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);
    private final Inflater inflater = new Inflater(true);
    private final byte[] gaps = new byte[LARGEST_CHANGES];
    private final byte[] differences = new byte[LONGEST_VARINT * WORDS];
    private final byte[] deflated = new byte[2 * WORDS];
    private final long[] baseWords = new long[WORDS / 4];
    private final long[] nextWords = new long[WORDS / 4];
    private int gapBytes;
    private int differenceBytes;

    PatchBlock() {
        deflater.setStrategy(Deflater.HUFFMAN_ONLY);
    }

    /** Returns the bytes written. */
    long encode(MemorySegment base, MemorySegment next, OutputStream out) throws IOException {
        long mismatch = base.mismatch(next);
        if (mismatch < 0) {
            out.write(UNCHANGED);
            return 1;
        }
        int length = changes(base, next, mismatch / 2);
        if (length >= next.byteSize()) {
            out.write(WHOLE);
            out.write(next.toArray(ValueLayout.JAVA_BYTE));
            return 1 + next.byteSize();
        }
        int small = length < WORTH_DEFLATING ? 0 : deflate(length);
        boolean pays = small > 0 && small < length - length / 8;
        out.write(pays ? DEFLATED : CHANGES);
        int stored = pays ? small : length;
        byte[] prefix = new byte[LONGEST_VARINT];
        int prefixBytes = putVarint(prefix, 0, stored);
        out.write(prefix, 0, prefixBytes);
        out.write(pays ? deflated : gaps, 0, stored);
        return 1L + prefixBytes + stored;
    }

    /** Fills {@link #gaps} with the block's changes; returns their bytes. */
    private int changes(MemorySegment base, MemorySegment next, long firstChanged) {
        int words = (int) (next.byteSize() / 2);
        load(base, baseWords);
        load(next, nextWords);
        gapBytes = 0;
        differenceBytes = 0;
        int count = 0;
        int last = -1;
        for (int four = (int) firstChanged / 4; four < (words + 3) / 4; four++) {
            long before = baseWords[four];
            long after = nextWords[four];
            long changed = before ^ after;
            while (changed != 0) {
                int shift = Long.numberOfTrailingZeros(changed) & ~15;
                int word = 4 * four + shift / 16;
                short difference = (short) ((after >>> shift) - (before >>> shift));
                gapBytes = putVarint(gaps, gapBytes, word - last - 1);
                differenceBytes = putVarint(differences, differenceBytes, zigzag(difference));
                changed &= ~(0xffffL << shift);
                last = word;
                count++;
            }
        }
        return assemble(count, next);
    }

    /** Copies a block's whole words, four to a long: arrays are several times as fast to walk as segments. */
    private static void load(MemorySegment block, long[] words) {
        int whole = (int) (block.byteSize() / Long.BYTES);
        MemorySegment.copy(block, FOUR_WORDS, 0, words, 0, whole);
        long rest = 0;
        long tail = block.byteSize() - block.byteSize() % 2;
        for (long at = (long) whole * Long.BYTES; at < tail; at += 2) {
            rest |= (block.get(WORD, at) & 0xffffL) << (8 * (at - (long) whole * Long.BYTES));
        }
        if (whole < words.length) {
            words[whole] = rest;
        }
    }

    private int assemble(int count, MemorySegment next) {
        byte[] head = new byte[LONGEST_VARINT];
        int headBytes = putVarint(head, 0, count);
        System.arraycopy(gaps, 0, gaps, headBytes, gapBytes);
        System.arraycopy(head, 0, gaps, 0, headBytes);
        int length = headBytes + gapBytes;
        System.arraycopy(differences, 0, gaps, length, differenceBytes);
        length += differenceBytes;
        if (next.byteSize() % 2 == 1) {
            gaps[length++] = next.get(ValueLayout.JAVA_BYTE, next.byteSize() - 1);
        }
        return length;
    }

    /** Returns the bytes in {@link #deflated}, or 0 where they do not fit. */
    private int deflate(int length) {
        deflater.reset();
        deflater.setInput(gaps, 0, length);
        deflater.finish();
        int bytes = deflater.deflate(deflated);
        return deflater.finished() ? bytes : 0;
    }

    void apply(MemorySegment state, DataInputStream in) throws IOException {
        try {
            int form = in.readUnsignedByte();
            switch (form) {
                case UNCHANGED -> {}
                case CHANGES -> {
                    int length = readLength(in, gaps.length);
                    in.readFully(gaps, 0, length);
                    change(state, length);
                }
                case DEFLATED -> {
                    int length = readLength(in, deflated.length);
                    in.readFully(deflated, 0, length);
                    change(state, inflate(length));
                }
                case WHOLE -> {
                    byte[] block = new byte[(int) state.byteSize()];
                    in.readFully(block);
                    MemorySegment.copy(block, 0, state, ValueLayout.JAVA_BYTE, 0, block.length);
                }
                default -> throw new PatchFormatException("a block of the unknown form " + form);
            }
        } catch (EOFException e) {
            throw new PatchFormatException("it ends before the state does");
        }
    }

    private static int readLength(DataInputStream in, int most) throws IOException {
        int value = 0;
        for (int shift = 0; shift < 7 * LONGEST_VARINT; shift += 7) {
            int part = in.readUnsignedByte();
            value |= (part & 0x7f) << shift;
            if (part < 0x80) {
                if (value > most) {
                    break;
                }
                return value;
            }
        }
        throw new PatchFormatException("a block longer than any can be");
    }

    private int inflate(int length) throws PatchFormatException {
        inflater.reset();
        inflater.setInput(deflated, 0, length);
        try {
            int bytes = inflater.inflate(gaps);
            if (!inflater.finished() || inflater.getRemaining() != 0) {
                throw new PatchFormatException("a deflated block that does not end where it should");
            }
            return bytes;
        } catch (DataFormatException e) {
            throw new PatchFormatException("a damaged deflated block: " + e.getMessage());
        }
    }

    /** Applies the {@code length} bytes of changes in {@link #gaps}. */
    private void change(MemorySegment state, int length) throws PatchFormatException {
        int words = (int) (state.byteSize() / 2);
        Changes changes = new Changes(gaps, length);
        int count = changes.next();
        int firstGap = changes.position;
        for (int i = 0; i < count; i++) {
            changes.next();
        }
        Changes gap = new Changes(gaps, changes.position);
        gap.position = firstGap;
        int word = -1;
        for (int i = 0; i < count; i++) {
            word += 1 + gap.next();
            if (word >= words) {
                throw new PatchFormatException("a change after the end of a block");
            }
            int zigzag = changes.next();
            int difference = (zigzag >>> 1) ^ -(zigzag & 1);
            state.set(WORD, 2L * word, (short) (state.get(WORD, 2L * word) + difference));
        }
        if (state.byteSize() % 2 == 1) {
            state.set(ValueLayout.JAVA_BYTE, state.byteSize() - 1, changes.nextByte());
        }
        if (changes.position != length) {
            throw new PatchFormatException("a block with bytes left over");
        }
    }

    private static int zigzag(short difference) {
        return ((difference << 1) ^ (difference >> 15)) & 0x1ffff;
    }

    private static int putVarint(byte[] to, int at, int value) {
        int rest = value;
        int position = at;
        while (rest >= 0x80) {
            to[position++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        to[position++] = (byte) rest;
        return position;
    }

    @Override
    public void close() {
        deflater.end();
        inflater.end();
    }

    /** Varints of a block, read one by one. */
    private static final class Changes {
        private final byte[] bytes;
        private final int end;
        private int position;

        Changes(byte[] bytes, int end) {
            this.bytes = bytes;
            this.end = end;
        }

        int next() throws PatchFormatException {
            int value = 0;
            for (int shift = 0; shift < 7 * LONGEST_VARINT; shift += 7) {
                byte part = nextByte();
                value |= (part & 0x7f) << shift;
                if (part >= 0) {
                    return value;
                }
            }
            throw new PatchFormatException("a number longer than any can be");
        }

        byte nextByte() throws PatchFormatException {
            if (position >= end) {
                throw new PatchFormatException("a block that is too short");
            }
            return bytes[position++];
        }
    }
}
