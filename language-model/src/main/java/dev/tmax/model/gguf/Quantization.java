package dev.tmax.model.gguf;

import dev.tmax.model.ModelFormatException;
import dev.tmax.model.weights.BFloat16;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Element formats of GGUF tensors: plain ones, and blocks of 32 elements with a float16 scale {@code d} (and minimum
 * {@code m}), or of 256 elements ({@link KQuantization}). Source: the block layouts of ggml.
 */
enum Quantization {
    F32(0, 1, 4) {
        @Override
        void decode(MemorySegment block, float[] target, int at) {
            target[at] = block.get(FLOAT, 0);
        }
    },
    F16(1, 1, 2) {
        @Override
        void decode(MemorySegment block, float[] target, int at) {
            target[at] = half(block, 0);
        }
    },
    BF16(30, 1, 2) {
        @Override
        void decode(MemorySegment block, float[] target, int at) {
            target[at] = BFloat16.toFloat(block.get(SHORT, 0));
        }
    },
    /** d · (q − 8), q of 4 bits. */
    Q4_0(2, 32, 18) {
        @Override
        void decode(MemorySegment block, float[] target, int at) {
            float d = half(block, 0);
            for (int i = 0; i < 16; i++) {
                int pair = block.get(ValueLayout.JAVA_BYTE, 2 + i);
                target[at + i] = ((pair & 15) - 8) * d;
                target[at + 16 + i] = (((pair >> 4) & 15) - 8) * d;
            }
        }
    },
    /** d · q + m, q of 4 bits. */
    Q4_1(3, 32, 20) {
        @Override
        void decode(MemorySegment block, float[] target, int at) {
            float d = half(block, 0);
            float m = half(block, 2);
            for (int i = 0; i < 16; i++) {
                int pair = block.get(ValueLayout.JAVA_BYTE, 4 + i);
                target[at + i] = (pair & 15) * d + m;
                target[at + 16 + i] = ((pair >> 4) & 15) * d + m;
            }
        }
    },
    /** d · (q − 16), q of 5 bits, the fifth apart. */
    Q5_0(6, 32, 22) {
        @Override
        void decode(MemorySegment block, float[] target, int at) {
            float d = half(block, 0);
            int high = block.get(INT, 2);
            for (int i = 0; i < 16; i++) {
                int pair = block.get(ValueLayout.JAVA_BYTE, 6 + i);
                target[at + i] = (((pair & 15) | fifth(high, i)) - 16) * d;
                target[at + 16 + i] = ((((pair >> 4) & 15) | fifth(high, 16 + i)) - 16) * d;
            }
        }
    },
    /** d · q + m, q of 5 bits, the fifth apart. */
    Q5_1(7, 32, 24) {
        @Override
        void decode(MemorySegment block, float[] target, int at) {
            float d = half(block, 0);
            float m = half(block, 2);
            int high = block.get(INT, 4);
            for (int i = 0; i < 16; i++) {
                int pair = block.get(ValueLayout.JAVA_BYTE, 8 + i);
                target[at + i] = ((pair & 15) | fifth(high, i)) * d + m;
                target[at + 16 + i] = (((pair >> 4) & 15) | fifth(high, 16 + i)) * d + m;
            }
        }
    },
    /** d · q, q of 8 bits. */
    Q8_0(8, 32, 34) {
        @Override
        void decode(MemorySegment block, float[] target, int at) {
            float d = half(block, 0);
            for (int i = 0; i < 32; i++) {
                target[at + i] = block.get(ValueLayout.JAVA_BYTE, 2 + i) * d;
            }
        }
    },
    Q4_K(12, 256, 144) {
        @Override
        void decode(MemorySegment block, float[] target, int at) {
            KQuantization.decode4(block, target, at);
        }
    },
    Q5_K(13, 256, 176) {
        @Override
        void decode(MemorySegment block, float[] target, int at) {
            KQuantization.decode5(block, target, at);
        }
    },
    Q6_K(14, 256, 210) {
        @Override
        void decode(MemorySegment block, float[] target, int at) {
            KQuantization.decode6(block, target, at);
        }
    };

    private static final ValueLayout.OfFloat FLOAT =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final int number;
    private final int blockElements;
    private final int blockBytes;

    Quantization(int number, int blockElements, int blockBytes) {
        this.number = number;
        this.blockElements = blockElements;
        this.blockBytes = blockBytes;
    }

    static Quantization numbered(Path path, String tensor, int number) {
        for (Quantization quantization : values()) {
            if (quantization.number == number) {
                return quantization;
            }
        }
        throw new ModelFormatException(
                path,
                "tensor " + tensor + ": quantisation number " + number + " is not supported; supported are "
                        + Arrays.toString(values()));
    }

    int blockElements() {
        return blockElements;
    }

    /** Bytes of that many elements. */
    long bytes(long elements) {
        return elements / blockElements * blockBytes;
    }

    /** All elements as float32. */
    float[] decode(MemorySegment data, long elements) {
        float[] values = new float[Math.toIntExact(elements)];
        for (long block = 0; block < elements / blockElements; block++) {
            decode(data.asSlice(block * blockBytes, blockBytes), values, (int) block * blockElements);
        }
        return values;
    }

    abstract void decode(MemorySegment block, float[] target, int at);

    static float half(MemorySegment block, long offset) {
        return Float.float16ToFloat(block.get(SHORT, offset));
    }

    private static int fifth(int high, int element) {
        return ((high >>> element) & 1) << 4;
    }
}
