package dev.tmax.operator;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;

/**
 * How patient the operator is with the API server. One request is repeated for about two seconds, which outlasts a blip;
 * after that the reconciliation fails, says so in a condition, and is repeated as a whole. Without a bound of ours the client
 * would repeat a refused request for a minute and a half, and nobody would see why nothing happens.
 */
public final class ApiServerConnection {

    private static final Duration FIRST_RETRY = Duration.ofMillis(100);
    private static final int RETRIES = 4;

    private ApiServerConnection() {}

    /**
     * A client of these manners.
     *
     * @param config where the API server is and who asks; is given these manners
     */
    public static KubernetesClient open(Config config) {
        // Set, not built anew: a copy would forget where its token came from, and not follow when the token is renewed.
        config.setRequestRetryBackoffInterval((int) FIRST_RETRY.toMillis());
        config.setRequestRetryBackoffLimit(RETRIES);
        return new KubernetesClientBuilder().withConfig(config).build();
    }
}
