package dev.tmax.trainer.dispatch;

import dev.tmax.contracts.rollout.FromGenerator;
import dev.tmax.contracts.rollout.Hello;
import dev.tmax.contracts.rollout.RolloutGrpc;
import dev.tmax.contracts.rollout.ToGenerator;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

/** The rollout protocol: one stream per generator. */
public final class RolloutService extends RolloutGrpc.RolloutImplBase {

    private static final int MOST_SLOTS = 65_536;

    private final Dispatcher dispatcher;

    public RolloutService(Dispatcher dispatcher) {
        this.dispatcher = dispatcher;
    }

    @Override
    public StreamObserver<FromGenerator> connect(StreamObserver<ToGenerator> outbound) {
        // With a handler set, sending to a generator that is gone does nothing instead of throwing.
        ((ServerCallStreamObserver<ToGenerator>) outbound)
                .setOnCancelHandler(() -> dispatcher.disconnected(outbound, "the stream broke"));
        return new Inbound(outbound);
    }

    private final class Inbound implements StreamObserver<FromGenerator> {

        private final StreamObserver<ToGenerator> outbound;
        private boolean greeted;
        private boolean refused;

        Inbound(StreamObserver<ToGenerator> outbound) {
            this.outbound = outbound;
        }

        @Override
        public void onNext(FromGenerator message) {
            if (refused) {
                return;
            }
            if (greeted == message.hasHello()) {
                refuse(greeted ? "hello came twice" : "the first message must be hello");
                return;
            }
            switch (message.getMessageCase()) {
                case HELLO -> greet(message.getHello());
                case TURN -> dispatcher.turn(message.getTurn());
                case FINISHED -> dispatcher.finished(message.getFinished());
                case APPLIED -> dispatcher.applied(outbound, message.getApplied());
                case STATUS -> dispatcher.reported(outbound, message.getStatus());
                case MESSAGE_NOT_SET -> {
                    // A newer generator says something that this trainer does not know.
                }
            }
        }

        private void greet(Hello hello) {
            if (hello.getGeneratorId().isEmpty() || hello.getSlots() < 1 || hello.getSlots() > MOST_SLOTS) {
                refuse("generator_id '%s' and slots %d: give an id and 1 to %d slots"
                        .formatted(hello.getGeneratorId(), hello.getSlots(), MOST_SLOTS));
                return;
            }
            greeted = true;
            dispatcher.connected(hello, outbound);
        }

        private void refuse(String reason) {
            refused = true;
            dispatcher.disconnected(outbound, reason);
            outbound.onError(Status.INVALID_ARGUMENT.withDescription(reason).asRuntimeException());
        }

        @Override
        public void onError(Throwable failure) {
            dispatcher.disconnected(outbound, failure.toString());
        }

        @Override
        public void onCompleted() {
            dispatcher.disconnected(outbound, "it said goodbye");
            if (!refused) {
                outbound.onCompleted();
            }
        }
    }
}
