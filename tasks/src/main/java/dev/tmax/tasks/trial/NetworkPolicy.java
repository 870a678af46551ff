package dev.tmax.tasks.trial;

import dev.tmax.sandboxes.Network;
import dev.tmax.tasks.Environment;
import java.util.Optional;

/** What trials may reach. */
public enum NetworkPolicy {
    /** Nothing, whatever a task says: the policy of training. */
    DENY,
    /** What the task says. */
    TASK;

    /**
     * The network of a cell.
     *
     * @param override what agent or verifier say instead of the environment
     */
    Network of(Environment environment, Optional<dev.tmax.tasks.Network> override) {
        if (this == DENY) {
            return Network.NONE;
        }
        return switch (override.orElse(environment.network())) {
            case dev.tmax.tasks.Network.Denied _ -> Network.NONE;
            // A cell has the whole network of its host or none of it; which hosts is for the cluster's policy to say.
            case dev.tmax.tasks.Network.Public _, dev.tmax.tasks.Network.AllowList _ -> Network.HOST;
        };
    }
}
