package dev.tmax.model.weights;

/** Element types of a safetensors file. Constants are spelled as in the file. */
public enum ElementType {
    F64(8),
    F32(4),
    F16(2),
    BF16(2),
    I64(8),
    I32(4),
    I16(2),
    I8(1),
    U8(1),
    BOOL(1);

    private final int bytes;

    ElementType(int bytes) {
        this.bytes = bytes;
    }

    /** Bytes of one element. */
    public int bytes() {
        return bytes;
    }
}
