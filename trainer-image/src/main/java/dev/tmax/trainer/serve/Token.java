package dev.tmax.trainer.serve;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Optional;

/** The bearer token of the trainer's endpoints. */
public final class Token {

    private final Optional<byte[]> expected;

    private Token(Optional<byte[]> expected) {
        this.expected = expected;
    }

    /** No token is asked for: local mode only. */
    public static Token none() {
        return new Token(Optional.empty());
    }

    /** @throws IOException where the file cannot be read or is empty */
    public static Token read(Path file) throws IOException {
        String token = Files.readString(file).strip();
        if (token.isEmpty()) {
            throw new IOException(file + " is empty; put the token of the run's endpoints into it");
        }
        return new Token(Optional.of(header(token)));
    }

    /** @param authorization value of that header; null where there was none */
    boolean admits(String authorization) {
        return expected.map(wanted -> authorization != null
                        && MessageDigest.isEqual(wanted, authorization.getBytes(StandardCharsets.UTF_8)))
                .orElse(true);
    }

    private static byte[] header(String token) {
        return ("Bearer " + token).getBytes(StandardCharsets.UTF_8);
    }
}
