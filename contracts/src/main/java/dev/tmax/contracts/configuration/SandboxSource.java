package dev.tmax.contracts.configuration;

import static dev.tmax.contracts.configuration.Check.require;
import static dev.tmax.contracts.configuration.Check.requirePositive;

/**
 * Where cells run.
 *
 * @param backend {@code POOL}: pods of the SandboxPool; {@code LOCAL}: cells on this machine
 * @param namespace POOL: namespace of the pool and its pods
 * @param pool POOL: name of the SandboxPool whose demand the trainer writes
 * @param tokenKeyPath POOL: file with the key of the pods' tokens
 * @param rootFileSystem LOCAL: folder that cells see as /
 * @param maxPods POOL: upper bound of live sandbox pods
 * @param attemptsPerPod cells that one pod hosts at the same time
 * @param lookaheadSteps how many steps ahead the demand is written
 * @param retireAfterAttempts POOL: attempts after which a pod is given back for a fresh one; 0: never
 */
public record SandboxSource(
        Backend backend,
        String namespace,
        String pool,
        String tokenKeyPath,
        String rootFileSystem,
        int maxPods,
        int attemptsPerPod,
        int lookaheadSteps,
        int retireAfterAttempts) {

    public SandboxSource {
        require(backend != null, "sandboxes.backend", null, "use POOL or LOCAL");
        requirePositive(attemptsPerPod, "sandboxes.attemptsPerPod");
        require(lookaheadSteps >= 0, "sandboxes.lookaheadSteps", lookaheadSteps, "use 0 or more");
        require(
                retireAfterAttempts >= 0,
                "sandboxes.retireAfterAttempts",
                retireAfterAttempts,
                "use 0 for pods that are never given back, or more");
        if (backend == Backend.POOL) {
            require(pool != null, "sandboxes.pool", null, "name the SandboxPool");
            require(namespace != null, "sandboxes.namespace", null, "name the namespace of the pool");
            require(tokenKeyPath != null, "sandboxes.tokenKeyPath", null, "name the file with the pool's key");
            requirePositive(maxPods, "sandboxes.maxPods");
        }
    }

    /** See {@link SandboxSource}. */
    public enum Backend {
        POOL,
        LOCAL
    }
}
