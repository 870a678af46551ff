package dev.tmax.generator.decode;

import dev.tmax.model.decode.SequenceEvent;
import dev.tmax.model.decode.StopReason;
import java.util.Arrays;

/** Collects a turn's tokens as they come. */
final class TurnBuilder {

    private int[] tokens = new int[32];
    private float[] logProbabilities = new float[32];
    private long[] policyVersions = new long[32];
    private int count;

    void add(SequenceEvent.Token token) {
        if (count == tokens.length) {
            tokens = Arrays.copyOf(tokens, 2 * count);
            logProbabilities = Arrays.copyOf(logProbabilities, 2 * count);
            policyVersions = Arrays.copyOf(policyVersions, 2 * count);
        }
        tokens[count] = token.token();
        logProbabilities[count] = token.logProbability();
        policyVersions[count] = token.policyVersion();
        count++;
    }

    SampledTurn build(StopReason stop) {
        return new SampledTurn(
                Arrays.copyOf(tokens, count),
                Arrays.copyOf(logProbabilities, count),
                Arrays.copyOf(policyVersions, count),
                stop);
    }
}
