package dev.tmax.generator.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tmax.contracts.rollout.Announce;
import dev.tmax.contracts.rollout.FromGenerator;
import dev.tmax.contracts.rollout.Hello;
import dev.tmax.contracts.rollout.RolloutGrpc;
import dev.tmax.contracts.rollout.ToGenerator;
import dev.tmax.contracts.rollout.Turn;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Over TCP on loopback, against a server of the contract. */
@Timeout(60)
class TrainerConnectionTest {

    private static final Hello HELLO =
            Hello.newBuilder().setGeneratorId("generator-0").setSlots(4).build();

    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final BlockingQueue<Outbound> outbounds = new LinkedBlockingQueue<>();
    private final TestTrainer trainer = new TestTrainer();
    private Server server;
    private ManagedChannel channel;
    private TrainerConnection connection;

    @TempDir
    private Path folder;

    @AfterEach
    void close() throws InterruptedException {
        if (connection != null) {
            connection.close();
        }
        channel.shutdownNow().awaitTermination(5, TimeUnit.SECONDS);
        server.shutdownNow().awaitTermination();
    }

    @Test
    void saysHelloFirstAndHandsOnWhatComes() throws Exception {
        serve(0);
        connect(new Credentials(Optional.empty()));

        StreamObserver<ToGenerator> toGenerator = trainer.streams.take();
        assertThat(trainer.received.take().getHello()).isEqualTo(HELLO);
        toGenerator.onNext(announcement(7));

        assertThat(events.take()).isEqualTo("opening");
        assertThat(events.take()).isEqualTo("announced 7");
    }

    @Test
    void comesBackWhenTheTrainerDoes() throws Exception {
        serve(0);
        int port = server.getPort();
        connect(new Credentials(Optional.empty()));
        trainer.streams.take();
        assertThat(events.take()).isEqualTo("opening");

        server.shutdownNow().awaitTermination();
        assertThat(events.take()).isEqualTo("closed");
        serve(port);

        trainer.streams.take().onNext(announcement(8));
        for (String event = ""; !event.equals("announced 8"); ) {
            event = events.take();
        }
    }

    @Test
    void comesBackWhenTheTrainerEndsTheStream() throws Exception {
        serve(0);
        connect(new Credentials(Optional.empty()));

        trainer.streams.take().onCompleted();
        assertThat(events.take()).isEqualTo("opening");
        assertThat(events.take()).isEqualTo("closed");

        trainer.streams.take();
        assertThat(events.take()).isEqualTo("opening");
    }

    @Test
    void sendsTheTokenAsItIsAtThatTime() throws Exception {
        Path token = Files.writeString(folder.resolve("token"), "first\n");
        serve(0);
        connect(new Credentials(Optional.of(token)));
        assertThat(trainer.tokens.take()).isEqualTo("Bearer first");
        StreamObserver<ToGenerator> stream = trainer.streams.take();

        Files.writeString(token, "second\n");
        stream.onCompleted();

        assertThat(trainer.tokens.take()).isEqualTo("Bearer second");
    }

    @Test
    void keepsSendersWaitingWhileTheTrainerDoesNotRead() throws Exception {
        trainer.reading = false;
        serve(0);
        connect(new Credentials(Optional.empty()));
        ServerCallStreamObserver<ToGenerator> stream = (ServerCallStreamObserver<ToGenerator>) trainer.streams.take();
        stream.onNext(announcement(1));
        Outbound outbound = outbounds.take();
        FromGenerator large = FromGenerator.newBuilder()
                .setTurn(Turn.newBuilder().setText("x".repeat(100_000)))
                .build();
        int messages = 2_000;
        BlockingQueue<Integer> sent = new LinkedBlockingQueue<>();
        Thread sender = Thread.startVirtualThread(() -> {
            for (int i = 0; i < messages; i++) {
                try {
                    outbound.send(large);
                } catch (StreamClosedException | InterruptedException e) {
                    return;
                }
                sent.add(i);
            }
        });

        while (sender.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        assertThat(sent.size()).isLessThan(messages / 2);

        stream.request(messages + 1);
        sender.join();
        assertThat(sent).hasSize(messages);
    }

    @Test
    void sendersLearnThatTheStreamIsGone() throws Exception {
        serve(0);
        connect(new Credentials(Optional.empty()));
        StreamObserver<ToGenerator> stream = trainer.streams.take();
        stream.onNext(announcement(1));
        Outbound outbound = outbounds.take();
        stream.onCompleted();
        for (String event = ""; !event.equals("closed"); ) {
            event = events.take();
        }

        assertThatThrownBy(() -> outbound.send(FromGenerator.getDefaultInstance()))
                .isInstanceOf(StreamClosedException.class);
        assertThat(outbound.isOpen()).isFalse();
    }

    private static ToGenerator announcement(long version) {
        return ToGenerator.newBuilder()
                .setAnnounce(Announce.newBuilder().setPolicyVersion(version))
                .build();
    }

    private void serve(int port) throws IOException {
        server = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", port))
                .addService(trainer)
                .intercept(new ServerInterceptor() {
                    @Override
                    public <Q, A> ServerCall.Listener<Q> interceptCall(
                            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
                        String token = headers.get(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER));
                        if (token != null) {
                            trainer.tokens.add(token);
                        }
                        return next.startCall(call, headers);
                    }
                })
                .build()
                .start();
    }

    private void connect(Credentials credentials) {
        channel = NettyChannelBuilder.forAddress("127.0.0.1", server.getPort())
                .usePlaintext()
                .build();
        connection = TrainerConnection.open(channel, credentials, HELLO, new TrainerConnection.Listener() {
            @Override
            public void opening() {
                events.add("opening");
            }

            @Override
            public void received(ToGenerator message, Outbound outbound) {
                events.add("announced " + message.getAnnounce().getPolicyVersion());
                outbounds.add(outbound);
            }

            @Override
            public void closed() {
                events.add("closed");
            }
        });
    }

    private static final class TestTrainer extends RolloutGrpc.RolloutImplBase {
        private final BlockingQueue<StreamObserver<ToGenerator>> streams = new LinkedBlockingQueue<>();
        private final BlockingQueue<FromGenerator> received = new LinkedBlockingQueue<>();
        private final BlockingQueue<String> tokens = new LinkedBlockingQueue<>();
        private volatile boolean reading = true;

        @Override
        public StreamObserver<FromGenerator> connect(StreamObserver<ToGenerator> toGenerator) {
            if (!reading) {
                ((ServerCallStreamObserver<ToGenerator>) toGenerator).disableAutoRequest();
            }
            streams.add(toGenerator);
            return new StreamObserver<>() {
                @Override
                public void onNext(FromGenerator message) {
                    received.add(message);
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
}
