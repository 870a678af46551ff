package dev.tmax.operator.run.children;

import dev.tmax.api.v1alpha1.TrainingRun;
import dev.tmax.contracts.sandbox.SandboxContract;
import dev.tmax.operator.Labels;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The Secret of each run: made once with random values, and never changed after that. */
public final class Credentials {

    static final String TOKEN = "token";

    private static final Duration REMEMBERED = Duration.ofMinutes(5);
    private static final int RANDOM_BYTES = 32;

    private final KubernetesClient client;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, Known> knownByRun = new ConcurrentHashMap<>();

    private record Known(Values values, Instant readAt) {}

    /**
     * @param token bearer token of the trainer's endpoints
     * @param sandboxKey key of the sandbox pods' tokens
     */
    public record Values(String token, byte[] sandboxKey) {}

    public Credentials(KubernetesClient client, Clock clock) {
        this.client = client;
        this.clock = clock;
    }

    /** The run's values; made where there are none. */
    public Values ensure(TrainingRun run, RunNames names) {
        Known known = knownByRun.get(names.uid());
        if (known != null && known.readAt().plus(REMEMBERED).isAfter(clock.instant())) {
            return known.values();
        }
        Values values = read(names.namespace(), names.name()).orElseGet(() -> create(run, names));
        knownByRun.put(names.uid(), new Known(values, clock.instant()));
        return values;
    }

    /** The values of a run by name, read from the server; empty where it has none yet. */
    public Optional<Values> read(String namespace, String run) {
        Secret secret = client.secrets()
                .inNamespace(namespace)
                .withName(RunNames.secret(run))
                .get();
        return Optional.ofNullable(secret).map(Credentials::values);
    }

    public void forget(String runUid) {
        knownByRun.remove(runUid);
    }

    private Values create(TrainingRun run, RunNames names) {
        Secret secret = new SecretBuilder()
                .withNewMetadata()
                .withName(names.secret())
                .withNamespace(names.namespace())
                .withLabels(names.labels())
                .withOwnerReferences(Labels.ownedBy(run))
                .endMetadata()
                .withType("Opaque")
                .withImmutable(true)
                .withStringData(Map.of(TOKEN, randomText(), SandboxContract.SECRET_KEY, randomText()))
                .build();
        try {
            return values(client.resource(secret).create());
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
            // Somebody was faster: what is there counts.
            return read(names.namespace(), names.name()).orElseThrow(() -> e);
        }
    }

    private String randomText() {
        byte[] bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static Values values(Secret secret) {
        Base64.Decoder decoder = Base64.getDecoder();
        return new Values(
                new String(decoder.decode(secret.getData().get(TOKEN)), StandardCharsets.UTF_8),
                decoder.decode(secret.getData().get(SandboxContract.SECRET_KEY)));
    }
}
