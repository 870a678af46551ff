package dev.tmax.trainer.publish;

import dev.tmax.contracts.weights.PatchCodec;
import dev.tmax.model.train.PublishedWeights;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A finished patch, off the heap, in pieces. */
final class PatchBytes implements AutoCloseable {

    private static final int PIECE = 1 << 20;

    private final Arena arena;
    private final List<MemorySegment> pieces;
    private final long size;

    private PatchBytes(Arena arena, List<MemorySegment> pieces, long size) {
        this.arena = arena;
        this.pieces = pieces;
        this.size = size;
    }

    /** The patch between two states; empty where it would be no smaller than the whole. */
    static Optional<PatchBytes> between(PublishedWeights base, PublishedWeights next) {
        Arena arena = Arena.ofShared();
        Pieces out = new Pieces(arena);
        try {
            OptionalLong size = PatchCodec.encode(base.bytes(), next.bytes(), out);
            if (size.isPresent()) {
                return Optional.of(new PatchBytes(arena, out.pieces, size.getAsLong()));
            }
        } catch (IOException e) {
            throw new IllegalStateException("memory cannot fail to be written", e);
        }
        arena.close();
        return Optional.empty();
    }

    long size() {
        return size;
    }

    /** Bytes from an offset on, as many as asked for. */
    byte[] read(long from, int length) {
        byte[] bytes = new byte[length];
        int done = 0;
        while (done < length) {
            long at = from + done;
            MemorySegment piece = pieces.get((int) (at / PIECE));
            int within = (int) (at % PIECE);
            int count = Math.min(length - done, PIECE - within);
            MemorySegment.copy(piece, ValueLayout.JAVA_BYTE, within, bytes, done, count);
            done += count;
        }
        return bytes;
    }

    @Override
    public void close() {
        arena.close();
    }

    private static final class Pieces extends OutputStream {

        private final Arena arena;
        private final List<MemorySegment> pieces = new ArrayList<>();
        private int used = PIECE;

        Pieces(Arena arena) {
            this.arena = arena;
        }

        @Override
        public void write(int value) {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            int done = 0;
            while (done < length) {
                if (used == PIECE) {
                    pieces.add(arena.allocate(PIECE));
                    used = 0;
                }
                int count = Math.min(length - done, PIECE - used);
                MemorySegment.copy(bytes, offset + done, pieces.getLast(), ValueLayout.JAVA_BYTE, used, count);
                used += count;
                done += count;
            }
        }
    }
}
