package dev.tmax.trainer.publish;

import com.google.protobuf.UnsafeByteOperations;
import dev.tmax.contracts.weights.Chunk;
import dev.tmax.contracts.weights.Encoding;
import dev.tmax.contracts.weights.FetchRequest;
import dev.tmax.contracts.weights.Manifest;
import dev.tmax.contracts.weights.WeightsGrpc;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/** Sends weights as fast as the receiver takes them, and no faster: one chunk at a time per stream is in memory. */
public final class WeightsService extends WeightsGrpc.WeightsImplBase {

    private static final int CHUNK = 1 << 20;

    private final WeightPublisher publisher;
    private final LongAdder fullBytes = new LongAdder();
    private final LongAdder patchBytes = new LongAdder();

    public WeightsService(WeightPublisher publisher) {
        this.publisher = publisher;
    }

    /** Bytes sent as whole states since start. */
    public long fullBytes() {
        return fullBytes.sum();
    }

    /** Bytes sent as patches since start. */
    public long patchBytes() {
        return patchBytes.sum();
    }

    @Override
    public void fetch(FetchRequest request, StreamObserver<Chunk> observer) {
        ServerCallStreamObserver<Chunk> outbound = (ServerCallStreamObserver<Chunk>) observer;
        Optional<PublishedVersion> version = publisher.acquire(request.getToVersion());
        if (version.isEmpty()) {
            outbound.onError(Status.NOT_FOUND
                    .withDescription("version " + request.getToVersion() + " is gone; wait for the next announcement")
                    .asRuntimeException());
            return;
        }
        Transfer transfer = new Transfer(version.get(), request.getFromVersion(), outbound);
        outbound.setOnReadyHandler(transfer::send);
        outbound.setOnCancelHandler(transfer::end);
        outbound.setOnCloseHandler(transfer::end);
    }

    /** One receiver. Handlers of a call never run at the same time. */
    private final class Transfer {

        private final PublishedVersion version;
        private final Optional<PublishedVersion.Patch> patch;
        private final ServerCallStreamObserver<Chunk> outbound;
        private final long size;
        private long sent = -1;
        private boolean ended;

        Transfer(PublishedVersion version, long from, ServerCallStreamObserver<Chunk> outbound) {
            this.version = version;
            this.patch = version.patch().filter(found -> found.base() == from);
            this.outbound = outbound;
            this.size = patch.map(found -> found.bytes().size())
                    .orElseGet(() -> version.weights().totalBytes());
        }

        void send() {
            while (!ended && outbound.isReady()) {
                if (sent < 0) {
                    outbound.onNext(Chunk.newBuilder().setManifest(manifest()).build());
                    sent = 0;
                } else if (sent < size) {
                    int length = (int) Math.min(CHUNK, size - sent);
                    outbound.onNext(Chunk.newBuilder()
                            .setData(UnsafeByteOperations.unsafeWrap(read(sent, length)))
                            .build());
                    sent += length;
                    (patch.isPresent() ? patchBytes : fullBytes).add(length);
                } else {
                    end();
                    outbound.onCompleted();
                }
            }
        }

        private Manifest manifest() {
            Manifest.Builder manifest = version.manifest().setDataBytes(size);
            patch.ifPresentOrElse(
                    found -> manifest.setEncoding(Encoding.PATCH).setBaseVersion(found.base()),
                    () -> manifest.setEncoding(Encoding.FULL));
            return manifest.build();
        }

        private byte[] read(long from, int length) {
            return patch.map(found -> found.bytes().read(from, length)).orElseGet(() -> {
                byte[] bytes = new byte[length];
                MemorySegment.copy(version.weights().bytes(), ValueLayout.JAVA_BYTE, from, bytes, 0, length);
                return bytes;
            });
        }

        void end() {
            if (!ended) {
                ended = true;
                version.release();
            }
        }
    }
}
