package dev.tmax.generator.receive;

import dev.tmax.contracts.weights.Chunk;
import dev.tmax.contracts.weights.Encoding;
import dev.tmax.contracts.weights.FetchRequest;
import dev.tmax.contracts.weights.Manifest;
import dev.tmax.contracts.weights.PatchCodec;
import dev.tmax.contracts.weights.WeightsGrpc;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Iterator;

/** One call of {@code Weights.Fetch}: first the manifest, then the data into a state. */
final class Fetch {

    private final Manifest manifest;
    private final ChunkStream data;

    private Fetch(Manifest manifest, ChunkStream data) {
        this.manifest = manifest;
        this.data = data;
    }

    /**
     * Asks for a version.
     *
     * @param from the version at hand, −1 for none
     * @throws io.grpc.StatusRuntimeException as the trainer answers
     * @throws IOException where what it sends is not by the contract
     */
    static Fetch open(WeightsGrpc.WeightsBlockingStub trainer, String generatorId, long from, long to)
            throws IOException {
        Iterator<Chunk> chunks = trainer.fetch(FetchRequest.newBuilder()
                .setGeneratorId(generatorId)
                .setFromVersion(from)
                .setToVersion(to)
                .build());
        if (!chunks.hasNext()) {
            throw new IOException("the trainer sent nothing for version " + to);
        }
        Chunk first = chunks.next();
        if (first.getPartCase() != Chunk.PartCase.MANIFEST) {
            throw new IOException("the trainer sent data of version " + to + " before its manifest");
        }
        return new Fetch(first.getManifest(), new ChunkStream(chunks));
    }

    Manifest manifest() {
        return manifest;
    }

    /** Whether the data only makes sense on top of the version at hand. */
    boolean isPatch() {
        return manifest.getEncoding() == Encoding.PATCH;
    }

    /** Reads the data: replaces {@code state}, or changes it in place. */
    void into(MemorySegment state) throws IOException {
        switch (manifest.getEncoding()) {
            case FULL -> data.readFully(state);
            case PATCH -> PatchCodec.apply(state, data);
            default -> throw new IOException("the trainer sent an encoding that is not known here: update the image");
        }
    }
}
