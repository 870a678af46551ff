package dev.tmax.generator.connect;

import dev.tmax.contracts.rollout.FromGenerator;
import dev.tmax.contracts.rollout.ToGenerator;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/** One life of the stream. */
final class Session implements ClientResponseObserver<FromGenerator, ToGenerator> {

    private final BiConsumer<ToGenerator, Outbound> received;
    private final CompletableFuture<Status> ended = new CompletableFuture<>();
    private ClientCallStreamObserver<FromGenerator> call;
    private Outbound outbound;
    private volatile boolean heard;

    Session(BiConsumer<ToGenerator, Outbound> received) {
        this.received = received;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<FromGenerator> stream) {
        call = stream;
        outbound = new Outbound(stream);
        stream.setOnReadyHandler(outbound::readinessChanged);
    }

    @Override
    public void onNext(ToGenerator message) {
        heard = true;
        received.accept(message, outbound);
    }

    @Override
    public void onError(Throwable error) {
        end(Status.fromThrowable(error));
    }

    @Override
    public void onCompleted() {
        end(Status.OK);
    }

    private void end(Status status) {
        outbound.closed();
        ended.complete(status);
    }

    Outbound outbound() {
        return outbound;
    }

    /** Whether the trainer ever said something. */
    boolean heard() {
        return heard;
    }

    /** How the stream ended, once it has. */
    CompletableFuture<Status> ended() {
        return ended;
    }

    void cancel(String reason) {
        call.cancel(reason, null);
    }
}
