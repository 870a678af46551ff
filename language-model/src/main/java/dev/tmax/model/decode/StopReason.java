package dev.tmax.model.decode;

/** Why a turn ended. */
public enum StopReason {
    /** The generated text contains a stop string. */
    STOP_STRING,
    /** A stop token was sampled. */
    STOP_TOKEN,
    /** The turn has its most new tokens. */
    LIMIT,
    /** The sequence has the engine's most tokens. */
    CONTEXT
}
