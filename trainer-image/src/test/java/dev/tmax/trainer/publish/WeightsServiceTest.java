package dev.tmax.trainer.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tmax.contracts.configuration.WeightSync;
import dev.tmax.contracts.rollout.Announce;
import dev.tmax.contracts.weights.Chunk;
import dev.tmax.contracts.weights.Encoding;
import dev.tmax.contracts.weights.FetchRequest;
import dev.tmax.contracts.weights.Manifest;
import dev.tmax.contracts.weights.PatchCodec;
import dev.tmax.contracts.weights.Tensor;
import dev.tmax.contracts.weights.WeightsGrpc;
import dev.tmax.model.Architecture;
import dev.tmax.model.ModelFolder;
import dev.tmax.model.Precision;
import dev.tmax.model.random.RandomModel;
import dev.tmax.model.train.AdamW;
import dev.tmax.model.train.ForwardResult;
import dev.tmax.model.train.MicroBatch;
import dev.tmax.model.train.Sample;
import dev.tmax.model.train.TrainingEngine;
import dev.tmax.model.train.TrainingOptions;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.StatusRuntimeException;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Weights of a real engine over real gRPC in this process. */
@Timeout(60)
class WeightsServiceTest {

    @TempDir
    private Path folder;

    private final List<Announce> announced = new ArrayList<>();
    private TrainingEngine engine;
    private Server server;
    private ManagedChannel channel;
    private WeightPublisher publisher;
    private WeightsGrpc.WeightsBlockingStub weights;

    private record Fetched(Manifest manifest, byte[] data) {}

    @BeforeEach
    void open() {
        ModelFolder model = new RandomModel(Architecture.LLAMA, 128, 2, 4, 384, 300, 128, 1).write(folder);
        engine = TrainingEngine.open(model, new TrainingOptions(Precision.FP32, true, 1, AdamW.recipe(), 1));
    }

    private void serve(WeightSync.Mode mode) throws IOException {
        publisher = new WeightPublisher(mode, announced::add);
        String name = UUID.randomUUID().toString();
        server = InProcessServerBuilder.forName(name)
                .addService(new WeightsService(publisher))
                .build()
                .start();
        channel = InProcessChannelBuilder.forName(name).build();
        weights = WeightsGrpc.newBlockingStub(channel);
    }

    @AfterEach
    void close() {
        channel.shutdownNow();
        server.shutdownNow();
        publisher.close();
        engine.close();
    }

    private void publish() {
        publisher.publish(engine.snapshot()).join();
    }

    /** One step of the optimizer: small, as in training, so that few of the bfloat16 weights change. */
    private void train() {
        MicroBatch batch =
                new MicroBatch(new int[] {1, 2}, List.of(new Sample(new int[] {3, 4}, new boolean[] {true, true})));
        try (ForwardResult forward = engine.forward(batch)) {
            engine.backward(forward, new float[] {-1, 1});
        }
        engine.step(1e-6, 1, 1);
    }

    private Fetched fetch(long from, long to) {
        Iterator<Chunk> chunks = weights.fetch(
                FetchRequest.newBuilder().setFromVersion(from).setToVersion(to).build());
        Manifest manifest = chunks.next().getManifest();
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        chunks.forEachRemaining(chunk -> data.writeBytes(chunk.getData().toByteArray()));
        return new Fetched(manifest, data.toByteArray());
    }

    private static String sha256(byte[] bytes) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }

    @Test
    void theWholeStateComesWithItsDigestAndEveryTensorsPlace() throws Exception {
        serve(WeightSync.Mode.PATCH);
        publish();

        Fetched fetched = fetch(-1, 0);

        assertThat(fetched.manifest().getEncoding()).isEqualTo(Encoding.FULL);
        assertThat(fetched.data()).hasSize((int) fetched.manifest().getStateBytes());
        assertThat(sha256(fetched.data()))
                .isEqualTo(fetched.manifest().getSha256())
                .isEqualTo(announced.getFirst().getSha256());
        long end = 0;
        for (Tensor tensor : fetched.manifest().getTensorsList()) {
            assertThat(tensor.getOffset()).isEqualTo(end);
            end += tensor.getBytes();
        }
        assertThat(end).isEqualTo(fetched.data().length);
        assertThat(fetched.manifest().getTensors(0).getName()).isEqualTo("model.embed_tokens.weight");
    }

    @Test
    void aPatchTurnsTheVersionBeforeIntoTheNewOne() throws Exception {
        serve(WeightSync.Mode.PATCH);
        publish();
        byte[] state = fetch(-1, 0).data();
        train();
        publish();

        Fetched patch = fetch(0, 1);
        assertThat(patch.manifest().getEncoding()).isEqualTo(Encoding.PATCH);
        assertThat(patch.manifest().getBaseVersion()).isZero();
        assertThat(patch.data()).hasSizeLessThan(state.length);
        assertThat(announced.getLast().getPatchBytes()).isEqualTo(patch.data().length);
        PatchCodec.apply(MemorySegment.ofArray(state), new ByteArrayInputStream(patch.data()));

        assertThat(sha256(state)).isEqualTo(patch.manifest().getSha256());
        assertThat(state).isEqualTo(fetch(-1, 1).data());
    }

    @Test
    void whoHasAnotherVersionThanTheOneBeforeGetsTheWhole() throws Exception {
        serve(WeightSync.Mode.PATCH);
        publish();
        train();
        publish();

        assertThat(fetch(7, 1).manifest().getEncoding()).isEqualTo(Encoding.FULL);
    }

    @Test
    void inModeFullThereAreNoPatches() throws Exception {
        serve(WeightSync.Mode.FULL);
        publish();
        train();
        publish();

        assertThat(fetch(0, 1).manifest().getEncoding()).isEqualTo(Encoding.FULL);
        assertThat(announced.getLast().getPatchBytes()).isZero();
    }

    @Test
    void versionsOlderThanTheLastTwoAreGoneAndSaySo() throws Exception {
        serve(WeightSync.Mode.PATCH);
        publish();
        for (int i = 0; i < 2; i++) {
            train();
            publish();
        }

        assertThat(fetch(-1, 1).data()).isNotEmpty();
        assertThatThrownBy(() -> fetch(-1, 0))
                .isInstanceOf(StatusRuntimeException.class)
                .hasMessageContaining("NOT_FOUND")
                .hasMessageContaining("next announcement");
    }

    @Test
    void whoReadsAVersionReadsItToTheEndThoughNewerOnesCome() throws Exception {
        serve(WeightSync.Mode.PATCH);
        publish();
        Iterator<Chunk> chunks = weights.fetch(
                FetchRequest.newBuilder().setFromVersion(-1).setToVersion(0).build());
        Manifest manifest = chunks.next().getManifest();
        for (int i = 0; i < 3; i++) {
            train();
            publish();
        }
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        chunks.forEachRemaining(chunk -> data.writeBytes(chunk.getData().toByteArray()));

        assertThat(sha256(data.toByteArray())).isEqualTo(manifest.getSha256());
    }
}
