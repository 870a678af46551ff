package dev.tmax.model.decode;

/** What happened to a sequence in a decode step. A turn's last token comes before its {@link Stopped}. */
public sealed interface SequenceEvent {
    /** The sequence id that {@link DecodeEngine#start} gave. */
    long sequence();

    /**
     * A token was sampled.
     *
     * @param token its id
     * @param logProbability its natural log-probability under the distribution it was drawn from
     * @param policyVersion the version of the weights that made it
     */
    record Token(long sequence, int token, float logProbability, long policyVersion) implements SequenceEvent {}

    /** The turn ended. The cache is kept until {@link DecodeEngine#resume} or {@link DecodeEngine#finish}. */
    record Stopped(long sequence, StopReason reason) implements SequenceEvent {}
}
