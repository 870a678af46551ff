package dev.tmax.trainer.serve;

import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** The gRPC server that generators dial. */
public final class RolloutServer implements AutoCloseable {

    private static final int MOST_MESSAGE_BYTES = 16 << 20;
    /** The two streams of a generator at a time, and a few that are on their way out. */
    private static final int MOST_CALLS = 16;

    private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
    private final Server server;

    /** @param port 0 for a free one */
    public RolloutServer(int port, Token token, BindableService... services) throws IOException {
        NettyServerBuilder builder = NettyServerBuilder.forAddress(new InetSocketAddress(port))
                .executor(calls)
                .intercept(new TokenInterceptor(token))
                .maxInboundMessageSize(MOST_MESSAGE_BYTES)
                .maxConcurrentCallsPerConnection(MOST_CALLS)
                // A generator whose machine is gone says nothing: find out within a minute.
                .keepAliveTime(30, TimeUnit.SECONDS)
                .keepAliveTimeout(20, TimeUnit.SECONDS)
                .permitKeepAliveTime(5, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true);
        for (BindableService service : services) {
            builder.addService(service);
        }
        server = builder.build().start();
    }

    public int port() {
        return server.getPort();
    }

    @Override
    public void close() {
        server.shutdownNow();
        try {
            // Calls that end have something to run yet.
            server.awaitTermination(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        calls.shutdown();
    }
}
