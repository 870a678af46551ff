package dev.tmax.model.gguf;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The K formats of ggml: blocks of 256 elements with a float16 scale, in which every 32 (or 16) elements have a small
 * scale of their own. Operations are in the order of the {@code gguf} package, so that results are equal in every bit.
 */
final class KQuantization {
    private static final int SUB_BLOCK = 32;
    private static final int SUB_BLOCKS = 8;

    private KQuantization() {}

    /** d · scale · q − m · minimum, q of 4 bits. */
    static void decode4(MemorySegment block, float[] target, int at) {
        for (int sub = 0; sub < SUB_BLOCKS; sub++) {
            float d = Quantization.half(block, 0) * scale(block, 4, sub);
            float m = Quantization.half(block, 2) * minimum(block, 4, sub);
            for (int i = 0; i < SUB_BLOCK; i++) {
                target[at + sub * SUB_BLOCK + i] = d * nibble(block, 16, sub, i) - m;
            }
        }
    }

    /** d · scale · q − m · minimum, q of 5 bits, the fifth apart. */
    static void decode5(MemorySegment block, float[] target, int at) {
        for (int sub = 0; sub < SUB_BLOCKS; sub++) {
            float d = Quantization.half(block, 0) * scale(block, 4, sub);
            float m = Quantization.half(block, 2) * minimum(block, 4, sub);
            for (int i = 0; i < SUB_BLOCK; i++) {
                int fifth = (unsigned(block, 16 + i) >> sub) & 1;
                target[at + sub * SUB_BLOCK + i] = d * (nibble(block, 48, sub, i) | fifth << 4) - m;
            }
        }
    }

    /** d · scale · (q − 32), q of 6 bits, the upper two apart; a scale for every 16 elements. */
    static void decode6(MemorySegment block, float[] target, int at) {
        float d = Quantization.half(block, 208);
        for (int i = 0; i < 256; i++) {
            int half = i / 128;
            int sub = i % 128 / SUB_BLOCK;
            int place = i % SUB_BLOCK;
            int low = (unsigned(block, half * 64 + sub % 2 * SUB_BLOCK + place) >> (sub / 2 * 4)) & 15;
            int high = (unsigned(block, 128 + half * SUB_BLOCK + place) >> (2 * sub)) & 3;
            float scale = d * block.get(ValueLayout.JAVA_BYTE, 192 + i / 16);
            target[at + i] = scale * ((low | high << 4) - 32);
        }
    }

    /** Elements of two sub-blocks share bytes: the first has the low halves. */
    private static int nibble(MemorySegment block, int first, int sub, int i) {
        return (unsigned(block, first + sub / 2 * SUB_BLOCK + i) >> (sub % 2 * 4)) & 15;
    }

    /** The scale of a sub-block: 6 bits of twelve bytes that hold 8 scales and 8 minima. */
    private static int scale(MemorySegment block, int first, int sub) {
        return sub < 4
                ? unsigned(block, first + sub) & 63
                : (unsigned(block, first + 4 + sub) & 15) | ((unsigned(block, first + sub - 4) >> 2) & 48);
    }

    private static int minimum(MemorySegment block, int first, int sub) {
        return sub < 4
                ? unsigned(block, first + 4 + sub) & 63
                : (unsigned(block, first + 4 + sub) >> 4) | ((unsigned(block, first + sub) >> 2) & 48);
    }

    private static int unsigned(MemorySegment block, int offset) {
        return block.get(ValueLayout.JAVA_BYTE, offset) & 255;
    }
}
