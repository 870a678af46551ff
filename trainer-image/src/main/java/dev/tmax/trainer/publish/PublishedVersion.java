package dev.tmax.trainer.publish;

import dev.tmax.contracts.weights.Manifest;
import dev.tmax.contracts.weights.Tensor;
import dev.tmax.model.train.PublishedWeights;
import dev.tmax.model.weights.NamedTensor;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * One version of the weights, with its digest and, where that pays, the patch from the version before. Lives until the
 * publisher has let go of it and nobody reads it any more.
 */
final class PublishedVersion {

    /** A patch and the version that it starts from. */
    record Patch(long base, PatchBytes bytes) {}

    private static final long DIGEST_SLICE = 64 << 20;

    private final PublishedWeights weights;
    private final String sha256;
    private final Optional<Patch> patch;
    private int holders = 1;

    PublishedVersion(PublishedWeights weights, Optional<Patch> patch) {
        this.weights = weights;
        this.sha256 = digest(weights.bytes());
        this.patch = patch;
    }

    long version() {
        return weights.version();
    }

    String sha256() {
        return sha256;
    }

    PublishedWeights weights() {
        return weights;
    }

    Optional<Patch> patch() {
        return patch;
    }

    long patchBytes() {
        return patch.map(found -> found.bytes().size()).orElse(0L);
    }

    synchronized void hold() {
        holders++;
    }

    synchronized void release() {
        if (--holders == 0) {
            weights.close();
            patch.ifPresent(found -> found.bytes().close());
        }
    }

    /** The manifest without encoding and length of the data. */
    Manifest.Builder manifest() {
        Manifest.Builder manifest = Manifest.newBuilder()
                .setPolicyVersion(version())
                .setStateBytes(weights.totalBytes())
                .setSha256(sha256);
        long offset = 0;
        for (String name : weights.names()) {
            NamedTensor tensor = weights.tensor(name);
            long bytes = tensor.data().byteSize();
            manifest.addTensors(Tensor.newBuilder()
                    .setName(name)
                    .setDtype(tensor.type().name())
                    .addAllShape(tensor.shape())
                    .setOffset(offset)
                    .setBytes(bytes));
            offset += bytes;
        }
        return manifest;
    }

    private static String digest(MemorySegment bytes) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (long from = 0; from < bytes.byteSize(); from += DIGEST_SLICE) {
                ByteBuffer slice = bytes.asSlice(from, Math.min(DIGEST_SLICE, bytes.byteSize() - from))
                        .asByteBuffer();
                digest.update(slice);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
