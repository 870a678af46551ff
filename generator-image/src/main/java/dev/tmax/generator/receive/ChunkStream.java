package dev.tmax.generator.receive;

import com.google.protobuf.ByteString;
import dev.tmax.contracts.weights.Chunk;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.util.Iterator;

/** The data of a fetch, one chunk at a time: the next is asked for when the last has been read. */
final class ChunkStream extends InputStream {

    private final Iterator<Chunk> chunks;
    private ByteString chunk = ByteString.EMPTY;
    private int position;

    ChunkStream(Iterator<Chunk> chunks) {
        this.chunks = chunks;
    }

    @Override
    public int read() throws IOException {
        return fill() ? chunk.byteAt(position++) & 0xff : -1;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!fill()) {
            return -1;
        }
        int count = Math.min(length, chunk.size() - position);
        chunk.copyTo(to, position, offset, count);
        position += count;
        return count;
    }

    /** Fills the segment. */
    void readFully(MemorySegment to) throws IOException {
        long at = 0;
        while (at < to.byteSize()) {
            if (!fill()) {
                throw new EOFException("the trainer sent " + at + " of " + to.byteSize() + " bytes");
            }
            int count = (int) Math.min(to.byteSize() - at, chunk.size() - position);
            chunk.substring(position, position + count)
                    .copyTo(to.asSlice(at, count).asByteBuffer());
            position += count;
            at += count;
        }
    }

    private boolean fill() throws IOException {
        while (position == chunk.size()) {
            if (!chunks.hasNext()) {
                return false;
            }
            Chunk next = chunks.next();
            if (next.getPartCase() != Chunk.PartCase.DATA) {
                throw new IOException("a second manifest within the data");
            }
            chunk = next.getData();
            position = 0;
        }
        return true;
    }
}
