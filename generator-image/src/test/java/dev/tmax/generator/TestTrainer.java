package dev.tmax.generator;

import com.google.protobuf.ByteString;
import dev.tmax.contracts.rollout.Announce;
import dev.tmax.contracts.rollout.Applied;
import dev.tmax.contracts.rollout.Assign;
import dev.tmax.contracts.rollout.Cancel;
import dev.tmax.contracts.rollout.Finished;
import dev.tmax.contracts.rollout.FromGenerator;
import dev.tmax.contracts.rollout.Hello;
import dev.tmax.contracts.rollout.RolloutGrpc;
import dev.tmax.contracts.rollout.ToGenerator;
import dev.tmax.contracts.rollout.Turn;
import dev.tmax.contracts.weights.Chunk;
import dev.tmax.contracts.weights.Encoding;
import dev.tmax.contracts.weights.FetchRequest;
import dev.tmax.contracts.weights.Manifest;
import dev.tmax.contracts.weights.PatchCodec;
import dev.tmax.contracts.weights.Tensor;
import dev.tmax.contracts.weights.WeightsGrpc;
import dev.tmax.model.ParameterLayout;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;

/** The trainer's side of the contracts, for tests to drive a generator with. */
final class TestTrainer implements AutoCloseable {

    private static final int CHUNK = 64 * 1024;

    final BlockingQueue<Hello> hellos = new LinkedBlockingQueue<>();
    final BlockingQueue<Applied> applied = new LinkedBlockingQueue<>();
    final BlockingQueue<Finished> finished = new LinkedBlockingQueue<>();
    final List<Encoding> fetches = new CopyOnWriteArrayList<>();

    private final Map<String, List<Turn>> turns = new ConcurrentHashMap<>();
    private final Map<Long, byte[]> states = new ConcurrentHashMap<>();
    private final ParameterLayout layout;
    private final Server server;
    private volatile StreamObserver<ToGenerator> stream;
    private volatile boolean damagePatches;

    TestTrainer(String name, ParameterLayout layout) throws IOException {
        this.layout = layout;
        this.server = InProcessServerBuilder.forName(name)
                .addService(new Rollout())
                .addService(new Weights())
                .build()
                .start();
    }

    /** From now on patches arrive with one bit turned. */
    void damagePatches() {
        damagePatches = true;
    }

    void announce(long version, byte[] state) {
        states.put(version, state);
        send(ToGenerator.newBuilder()
                .setAnnounce(Announce.newBuilder()
                        .setPolicyVersion(version)
                        .setFullBytes(state.length)
                        .setSha256(sha256(state))));
    }

    void assign(Assign assign) {
        send(ToGenerator.newBuilder().setAssign(assign));
    }

    void cancel(String episodeId) {
        send(ToGenerator.newBuilder()
                .setCancel(Cancel.newBuilder().setEpisodeId(episodeId).setReason("the test wants it")));
    }

    /** Ends the stream as a trainer does that goes away. */
    void breakStream() {
        stream.onError(Status.UNAVAILABLE.asRuntimeException());
    }

    private synchronized void send(ToGenerator.Builder message) {
        stream.onNext(message.build());
    }

    /** Segments of an episode as they came. */
    List<Turn> turns(String episodeId) {
        return turns.getOrDefault(episodeId, List.of());
    }

    static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        server.shutdownNow();
    }

    private final class Rollout extends RolloutGrpc.RolloutImplBase {

        @Override
        public StreamObserver<FromGenerator> connect(StreamObserver<ToGenerator> toGenerator) {
            return new StreamObserver<>() {
                @Override
                public void onNext(FromGenerator message) {
                    switch (message.getMessageCase()) {
                        case HELLO -> {
                            stream = toGenerator;
                            hellos.add(message.getHello());
                        }
                        case TURN ->
                            turns.computeIfAbsent(message.getTurn().getEpisodeId(), id -> new CopyOnWriteArrayList<>())
                                    .add(message.getTurn());
                        case FINISHED -> finished.add(message.getFinished());
                        case APPLIED -> applied.add(message.getApplied());
                        case STATUS, MESSAGE_NOT_SET -> {}
                    }
                }

                @Override
                public void onError(Throwable error) {}

                @Override
                public void onCompleted() {
                    toGenerator.onCompleted();
                }
            };
        }
    }

    private final class Weights extends WeightsGrpc.WeightsImplBase {

        @Override
        public void fetch(FetchRequest request, StreamObserver<Chunk> chunks) {
            byte[] next = states.get(request.getToVersion());
            byte[] base = states.get(request.getFromVersion());
            if (next == null) {
                chunks.onError(Status.NOT_FOUND.asRuntimeException());
                return;
            }
            byte[] patch = base == null ? null : patch(base, next);
            Encoding encoding = patch == null ? Encoding.FULL : Encoding.PATCH;
            fetches.add(encoding);
            byte[] data = patch == null ? next : patch;
            if (patch != null && damagePatches) {
                data[data.length - 2] ^= 4;
            }
            chunks.onNext(Chunk.newBuilder()
                    .setManifest(manifest(next, data.length, encoding, request))
                    .build());
            for (int from = 0; from < data.length; from += CHUNK) {
                chunks.onNext(Chunk.newBuilder()
                        .setData(ByteString.copyFrom(data, from, Math.min(CHUNK, data.length - from)))
                        .build());
            }
            chunks.onCompleted();
        }

        private Manifest manifest(byte[] state, int dataBytes, Encoding encoding, FetchRequest request) {
            Manifest.Builder manifest = Manifest.newBuilder()
                    .setPolicyVersion(request.getToVersion())
                    .setEncoding(encoding)
                    .setBaseVersion(request.getFromVersion())
                    .setStateBytes(state.length)
                    .setDataBytes(dataBytes)
                    .setSha256(sha256(state));
            for (ParameterLayout.Parameter parameter : layout.parameters()) {
                manifest.addTensors(Tensor.newBuilder()
                        .setName(parameter.name())
                        .setDtype("BF16")
                        .addAllShape(new ArrayList<>(parameter.shape()))
                        .setOffset(2 * parameter.offset())
                        .setBytes(2 * parameter.elements()));
            }
            return manifest.build();
        }

        private static byte[] patch(byte[] base, byte[] next) {
            ByteArrayOutputStream patch = new ByteArrayOutputStream();
            try {
                boolean smaller = PatchCodec.encode(MemorySegment.ofArray(base), MemorySegment.ofArray(next), patch)
                        .isPresent();
                return smaller ? patch.toByteArray() : null;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
