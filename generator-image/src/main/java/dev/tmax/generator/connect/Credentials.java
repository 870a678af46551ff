package dev.tmax.generator.connect;

import io.grpc.ClientInterceptor;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The bearer token of the trainer's endpoints.
 *
 * @param tokenFile read anew for each stream, as its Secret may change; empty for none
 */
public record Credentials(Optional<Path> tokenFile) {

    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    /** Adds the token as it is now to every call. */
    public ClientInterceptor now() {
        Metadata metadata = new Metadata();
        tokenFile.ifPresent(file -> metadata.put(AUTHORIZATION, "Bearer " + read(file)));
        return MetadataUtils.newAttachHeadersInterceptor(metadata);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "endpoints.tokenPath: " + file + " cannot be read: mount the run's Secret", e);
        }
    }
}
