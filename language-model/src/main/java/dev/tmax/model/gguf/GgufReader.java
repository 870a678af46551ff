package dev.tmax.model.gguf;

import dev.tmax.model.ModelFormatException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads GGUF values one after another. */
final class GgufReader {
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Path path;
    private final MemorySegment bytes;
    private long position;

    GgufReader(Path path, MemorySegment bytes) {
        this.path = path;
        this.bytes = bytes;
    }

    long position() {
        return position;
    }

    byte int8() {
        return bytes.get(ValueLayout.JAVA_BYTE, advance(1));
    }

    short int16() {
        return bytes.get(SHORT, advance(2));
    }

    int int32() {
        return bytes.get(INT, advance(4));
    }

    long int64() {
        return bytes.get(LONG, advance(8));
    }

    String string() {
        long length = int64();
        return new String(
                bytes.asSlice(advance(length), length).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }

    /** A type number, then a value of that type. */
    Object typedValue() {
        return value(int32());
    }

    private Object value(int type) {
        return switch (type) {
            case 0 -> Byte.toUnsignedInt(int8());
            case 1 -> (int) int8();
            case 2 -> Short.toUnsignedInt(int16());
            case 3 -> (int) int16();
            case 4 -> Integer.toUnsignedLong(int32());
            case 5 -> int32();
            case 6 -> Float.intBitsToFloat(int32());
            case 7 -> int8() != 0;
            case 8 -> string();
            case 9 -> list();
            case 10, 11 -> int64();
            case 12 -> Double.longBitsToDouble(int64());
            default -> throw new ModelFormatException(path, "unknown metadata type " + type + "; not a GGUF file?");
        };
    }

    private List<Object> list() {
        int type = int32();
        long length = int64();
        List<Object> values = new ArrayList<>();
        for (long i = 0; i < length; i++) {
            values.add(value(type));
        }
        return values;
    }

    private long advance(long size) {
        long here = position;
        position = Math.addExact(position, size);
        return here;
    }
}
