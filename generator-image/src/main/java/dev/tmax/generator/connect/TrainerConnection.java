package dev.tmax.generator.connect;

import dev.tmax.contracts.rollout.FromGenerator;
import dev.tmax.contracts.rollout.Hello;
import dev.tmax.contracts.rollout.RolloutGrpc;
import dev.tmax.contracts.rollout.ToGenerator;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps one stream to the trainer open for as long as the generator lives, and hands on what comes by it. */
public final class TrainerConnection implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TrainerConnection.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final ManagedChannel channel;
    private final Credentials credentials;
    private final Hello hello;
    private final Listener listener;
    private final Thread thread;

    /** What happens on the stream. Calls come one at a time and must not wait. */
    public interface Listener {

        /** A stream is about to be opened. */
        void opening();

        void received(ToGenerator message, Outbound outbound);

        /** The stream is gone, or could not be opened, and everything that came by it is void. */
        void closed();
    }

    private TrainerConnection(ManagedChannel channel, Credentials credentials, Hello hello, Listener listener) {
        this.channel = channel;
        this.credentials = credentials;
        this.hello = hello;
        this.listener = listener;
        this.thread = Thread.ofVirtual().name("trainer-connection").unstarted(this::run);
    }

    /** Begins to connect. */
    public static TrainerConnection open(
            ManagedChannel channel, Credentials credentials, Hello hello, Listener listener) {
        TrainerConnection connection = new TrainerConnection(channel, credentials, hello, listener);
        connection.thread.start();
        return connection;
    }

    private void run() {
        Duration pause = FIRST_PAUSE;
        try {
            while (true) {
                boolean heard = live();
                pause = heard ? FIRST_PAUSE : shorter(pause.multipliedBy(2), LONGEST_PAUSE);
                // Generators that lost the same trainer do not all come back at the same moment.
                Thread.sleep(pause.multipliedBy(50 + ThreadLocalRandom.current().nextInt(50))
                        .dividedBy(100));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** One stream from beginning to end; returns whether the trainer said anything. */
    private boolean live() throws InterruptedException {
        // The channel would otherwise wait up to two minutes by itself after a trainer was away for a while.
        channel.resetConnectBackoff();
        Session session = new Session(listener::received);
        listener.opening();
        RolloutGrpc.newStub(channel).withInterceptors(credentials.now()).connect(session);
        try {
            session.outbound().send(FromGenerator.newBuilder().setHello(hello).build());
            report(session.ended().get(), session.heard());
        } catch (StreamClosedException e) {
            report(session.ended().join(), session.heard());
        } catch (ExecutionException e) {
            throw new IllegalStateException("a session never ends exceptionally", e);
        } finally {
            session.cancel("the generator is done with this stream");
            session.ended().join();
            listener.closed();
        }
        return session.heard();
    }

    private static void report(Status status, boolean heard) {
        if (status.getCode() == Status.Code.UNAUTHENTICATED) {
            LOG.error("trainer: it refuses the token ({}); check endpoints.tokenPath", status.getDescription());
        } else if (heard) {
            LOG.warn("trainer: stream ended, {} {}; connecting again", status.getCode(), status.getDescription());
        } else {
            LOG.info("trainer: not reachable yet, {} {}", status.getCode(), status.getDescription());
        }
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
