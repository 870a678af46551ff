package dev.tmax.contracts.sandbox;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Names and values that operator, trainer and env-runner must agree on about sandbox pods. */
public final class SandboxContract {

    /** Port of the env-runner in a sandbox pod. */
    public static final int PORT = 8080;

    /** Label of a sandbox pod: name of its SandboxPool. */
    public static final String POOL_LABEL = "tmax.dev/sandbox-pool";

    /** Label of a sandbox pod: name of the demand entry that it serves. */
    public static final String ENTRY_LABEL = "tmax.dev/sandbox-entry";

    /** Annotation of a sandbox pod: the task image, in full. */
    public static final String IMAGE_ANNOTATION = "tmax.dev/task-image";

    /** Environment variable of the env-runner: its bearer token. */
    public static final String TOKEN_VARIABLE = "TMAX_TOKEN";

    /** Key of the pool's Secret that holds the key of the tokens. */
    public static final String SECRET_KEY = "sandbox-token-key";

    /** A sandbox pod ends itself when it has heard nothing of the trainer that leased it for this long. */
    public static final Duration LEASE = Duration.ofSeconds(60);

    private SandboxContract() {}

    /** Bearer token of one pod: HMAC-SHA-256 of the pod's name under the pool's key, lower-case hex. */
    public static String token(byte[] poolKey, String podName) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(poolKey, "HmacSHA256"));
            return HexFormat.of().formatHex(mac.doFinal(podName.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HmacSHA256", e);
        }
    }
}
