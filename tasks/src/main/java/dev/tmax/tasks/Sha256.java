package dev.tmax.tasks;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 over a sequence of byte strings; where one ends and the next begins counts. */
public final class Sha256 {
    private final MessageDigest digest;

    public Sha256() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }

    public Sha256 add(byte[] bytes) {
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
        digest.update(bytes);
        return this;
    }

    /** The digest in hex; to be called once, at the end. */
    public String hex() {
        return HexFormat.of().formatHex(digest.digest());
    }
}
