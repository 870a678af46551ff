package dev.tmax.contracts.configuration;

/**
 * Addresses of the run's own servers.
 *
 * @param trainerHost name that generators dial
 * @param rolloutPort gRPC of the trainer: rollout and weights
 * @param httpPort metrics, health and status, of trainer and generators
 * @param tokenPath file with the bearer token of the trainer's endpoints; null for none (local mode only)
 */
public record Endpoints(String trainerHost, int rolloutPort, int httpPort, String tokenPath) {

    public static final Endpoints DEFAULT = new Endpoints("127.0.0.1", 7070, 9090, null);

    public Endpoints {
        trainerHost = trainerHost == null ? DEFAULT_HOST : trainerHost;
        rolloutPort = rolloutPort == 0 ? 7070 : rolloutPort;
        httpPort = httpPort == 0 ? 9090 : httpPort;
    }

    private static final String DEFAULT_HOST = "127.0.0.1";
}
