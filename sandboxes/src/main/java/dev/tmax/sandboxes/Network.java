package dev.tmax.sandboxes;

/** What a cell can reach. */
public enum Network {
    /** Its own loopback, nothing else. */
    NONE,
    /** What the pod can reach: the cluster's network policy decides. */
    HOST
}
