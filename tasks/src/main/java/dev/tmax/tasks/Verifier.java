package dev.tmax.tasks;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * How the tests run.
 *
 * @param timeout past it there is no reward, which is not the same as a reward of 0
 * @param user name or uid that they run as; empty for the user of the image
 * @param variables environment variables of the tests
 * @param mode where they run
 * @param network overrides the network of the environment while they run
 */
public record Verifier(
        Duration timeout, Optional<String> user, Map<String, String> variables, Mode mode, Optional<Network> network) {

    /** The name of the script in {@code tests/}. */
    public static final String SCRIPT = "test.sh";

    public Verifier {
        variables = Map.copyOf(variables);
    }

    /** Where the tests run. */
    public enum Mode {
        /** The task does not say. */
        AUTO,
        /** In the environment that the agent worked in. */
        SHARED
    }
}
