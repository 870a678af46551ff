package dev.tmax.generator.receive;

import dev.tmax.contracts.weights.Manifest;
import dev.tmax.contracts.weights.Tensor;
import dev.tmax.model.weights.ElementType;
import dev.tmax.model.weights.NamedTensor;
import dev.tmax.model.weights.WeightSource;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The whole state of a model as received, outside the heap. One thread. */
final class ReceivedState implements AutoCloseable {

    /** A piece that fits a byte buffer. */
    private static final long PIECE = 1L << 30;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment bytes;

    ReceivedState(long size) {
        this.bytes = arena.allocate(size, 64);
    }

    MemorySegment bytes() {
        return bytes;
    }

    /** SHA-256 of everything, lower-case hex. */
    String digest() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (long from = 0; from < bytes.byteSize(); from += PIECE) {
                digest.update(bytes.asSlice(from, Math.min(PIECE, bytes.byteSize() - from))
                        .asByteBuffer());
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /**
     * The tensors as the manifest lays them out, valid while this is open.
     *
     * @throws IOException where they do not lie within the state
     */
    WeightSource tensors(Manifest manifest) throws IOException {
        Map<String, NamedTensor> tensors = new LinkedHashMap<>();
        for (Tensor tensor : manifest.getTensorsList()) {
            tensors.put(tensor.getName(), named(tensor));
        }
        return new Tensors(tensors);
    }

    private NamedTensor named(Tensor tensor) throws IOException {
        try {
            return new NamedTensor(
                    tensor.getName(),
                    ElementType.valueOf(tensor.getDtype()),
                    tensor.getShapeList(),
                    bytes.asSlice(tensor.getOffset(), tensor.getBytes()));
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new IOException("the trainer's manifest: tensor " + tensor.getName() + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        arena.close();
    }

    private record Tensors(Map<String, NamedTensor> byName) implements WeightSource {

        @Override
        public List<String> names() {
            return List.copyOf(byName.keySet());
        }

        @Override
        public NamedTensor tensor(String name) {
            NamedTensor tensor = byName.get(name);
            if (tensor == null) {
                throw new IllegalArgumentException("the trainer sent no tensor " + name);
            }
            return tensor;
        }
    }
}
