package dev.tmax.model;

/**
 * Sizes and options of a decoder, from {@code config.json}.
 *
 * @param hiddenSize width of the residual stream
 * @param feedForwardSize width between gate/up and down
 * @param heads query heads
 * @param keyValueHeads key/value heads; divides {@code heads}
 * @param headSize width of one head
 * @param vocabulary rows of the embedding
 * @param maxPositions most positions of a sequence
 * @param ropeTheta base of the rotary frequencies
 * @param normEpsilon added to the mean square in every norm
 * @param tied whether the language-model head is the embedding
 * @param queryKeyNorm whether queries and keys are normalised by head (Qwen3)
 * @param attentionBias whether query, key and value have a bias (Qwen2)
 */
public record ModelConfiguration(
        Architecture architecture,
        int hiddenSize,
        int feedForwardSize,
        int layers,
        int heads,
        int keyValueHeads,
        int headSize,
        int vocabulary,
        int maxPositions,
        double ropeTheta,
        RopeScaling ropeScaling,
        double normEpsilon,
        boolean tied,
        boolean queryKeyNorm,
        boolean attentionBias) {

    /** Rows of the fused query, key and value projection. */
    public int attentionRows() {
        return (heads + 2 * keyValueHeads) * headSize;
    }

    /** Bytes of keys and values of one token in all layers, at {@code elementBytes} each. */
    public long cacheBytesPerToken(int elementBytes) {
        return 2L * layers * keyValueHeads * headSize * elementBytes;
    }
}
