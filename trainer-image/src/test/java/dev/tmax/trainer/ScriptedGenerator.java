package dev.tmax.trainer;

import dev.tmax.contracts.rollout.Announce;
import dev.tmax.contracts.rollout.Applied;
import dev.tmax.contracts.rollout.Assign;
import dev.tmax.contracts.rollout.FromGenerator;
import dev.tmax.contracts.rollout.Hello;
import dev.tmax.contracts.rollout.RolloutGrpc;
import dev.tmax.contracts.rollout.ToGenerator;
import dev.tmax.contracts.weights.Chunk;
import dev.tmax.contracts.weights.FetchRequest;
import dev.tmax.contracts.weights.WeightsGrpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;

/** A generator's side of the contracts: drives a trainer through real gRPC, with answers that a test writes. */
public final class ScriptedGenerator implements AutoCloseable {

    /** What the generator does with an episode. */
    @FunctionalInterface
    public interface Script {

        /**
         * @param version weights that it decodes with
         * @return messages to send, in order
         */
        List<FromGenerator> play(Assign assign, long version);
    }

    public final BlockingQueue<ToGenerator> received = new LinkedBlockingQueue<>();
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final ManagedChannel channel;
    private final WeightsGrpc.WeightsBlockingStub weights;
    private final Script script;
    private final boolean fetches;
    private final StreamObserver<FromGenerator> outbound;
    private long version = -1;

    /** @param fetches whether weights are really fetched; if not, the announced digest is taken for theirs */
    public ScriptedGenerator(int port, String token, String id, int slots, boolean fetches, Script script) {
        this(
                NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build(),
                token,
                id,
                slots,
                fetches,
                script);
    }

    public ScriptedGenerator(
            ManagedChannel channel, String token, String id, int slots, boolean fetches, Script script) {
        this.channel = channel;
        this.script = script;
        this.fetches = fetches;
        Metadata headers = new Metadata();
        headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
        weights = WeightsGrpc.newBlockingStub(channel)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
        outbound = RolloutGrpc.newStub(channel)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
                .connect(new FromTrainer());
        send(FromGenerator.newBuilder()
                .setHello(Hello.newBuilder().setGeneratorId(id).setSlots(slots).setPolicyVersion(-1))
                .build());
    }

    public synchronized void send(FromGenerator message) {
        outbound.onNext(message);
    }

    private final class FromTrainer implements StreamObserver<ToGenerator> {

        @Override
        public void onNext(ToGenerator message) {
            received.add(message);
            // In one thread and in order, as swaps lie between decoding steps.
            thread.execute(() -> {
                if (message.hasAnnounce()) {
                    swap(message.getAnnounce());
                } else if (message.hasAssign()) {
                    script.play(message.getAssign(), version).forEach(ScriptedGenerator.this::send);
                }
            });
        }

        @Override
        public void onError(Throwable failure) {
            thread.shutdown();
        }

        @Override
        public void onCompleted() {
            thread.shutdown();
        }
    }

    private void swap(Announce announce) {
        String digest = announce.getSha256();
        if (fetches) {
            try {
                digest = fetch(announce);
            } catch (StatusRuntimeException e) {
                // A newer version took its place; its announcement is on the way.
                return;
            }
        }
        version = announce.getPolicyVersion();
        send(FromGenerator.newBuilder()
                .setApplied(Applied.newBuilder().setPolicyVersion(version).setSha256(digest))
                .build());
    }

    private String fetch(Announce announce) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            Iterator<Chunk> chunks = weights.fetch(FetchRequest.newBuilder()
                    .setFromVersion(-1)
                    .setToVersion(announce.getPolicyVersion())
                    .build());
            chunks.next();
            chunks.forEachRemaining(chunk -> digest.update(chunk.getData().asReadOnlyByteBuffer()));
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Breaks the connection, as a machine that is gone does. */
    @Override
    public void close() {
        channel.shutdownNow();
        thread.shutdownNow();
    }
}
