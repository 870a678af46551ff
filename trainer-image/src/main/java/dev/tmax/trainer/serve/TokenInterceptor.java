package dev.tmax.trainer.serve;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;

/** Refuses calls without the run's token. */
final class TokenInterceptor implements ServerInterceptor {

    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    private final Token token;

    TokenInterceptor(Token token) {
        this.token = token;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        if (token.admits(headers.get(AUTHORIZATION))) {
            return next.startCall(call, headers);
        }
        call.close(
                Status.UNAUTHENTICATED.withDescription("authorization: give the bearer token of this run"),
                new Metadata());
        return new ServerCall.Listener<>() {};
    }
}
