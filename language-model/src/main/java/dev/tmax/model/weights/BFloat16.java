package dev.tmax.model.weights;

/** The upper half of a float32. */
public final class BFloat16 {
    private BFloat16() {}

    /** Rounds to nearest, ties to even, as libtorch does. */
    public static short of(float value) {
        if (Float.isNaN(value)) {
            return 0x7FC0;
        }
        int bits = Float.floatToRawIntBits(value);
        return (short) ((bits + 0x7FFF + ((bits >>> 16) & 1)) >>> 16);
    }

    /** Exact. */
    public static float toFloat(short bits) {
        return Float.intBitsToFloat(bits << 16);
    }
}
