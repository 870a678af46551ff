package dev.tmax.tasks;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How the tests run.
 *
 * @param timeout past it there is no reward, which is not the same as a reward of 0
 * @param user name or uid that they run as; empty for the user of the image
 * @param variables environment variables of the tests
 * @param mode where they run
 * @param separate the environment of tests that have one of their own; present exactly with {@link Mode#SEPARATE}
 * @param collect commands run in the agent's environment before
 * @param network overrides the network of the environment while they run
 */
public record Verifier(
        Duration timeout,
        Optional<String> user,
        Map<String, String> variables,
        Mode mode,
        Optional<Separate> separate,
        List<CollectCommand> collect,
        Optional<Network> network) {

    /** The name of the script in {@code tests/}. */
    public static final String SCRIPT = "test.sh";

    public Verifier {
        variables = Map.copyOf(variables);
        collect = List.copyOf(collect);
        if (separate.isPresent() != (mode == Mode.SEPARATE)) {
            throw new IllegalArgumentException("mode " + mode + ": exactly separate verifiers have an environment");
        }
    }

    /** Where the tests run. */
    public enum Mode {
        /** The task does not say. */
        AUTO,
        /** In the environment that the agent worked in. */
        SHARED,
        /** In an environment that the agent never saw; only artifacts cross over. */
        SEPARATE
    }

    /**
     * The environment of tests that have one of their own.
     *
     * @param environment what it is made of
     * @param bundlesTests whether its image holds {@code /tests}; else the task's tests are put into it
     */
    public record Separate(Environment environment, boolean bundlesTests) {}
}
