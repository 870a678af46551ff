package dev.tmax.model;

import java.util.List;
import java.util.Optional;

/**
 * Sizes and options of a decoder, from {@code config.json}.
 *
 * @param hiddenSize width of the residual stream
 * @param feedForwardSize width between gate/up and down
 * @param layerTypes what mixes the tokens in each layer
 * @param heads query heads of an attention layer
 * @param keyValueHeads key/value heads; divides {@code heads}
 * @param headSize width of one head
 * @param rotarySize how much of a head, from its beginning, the rotary positions turn; even
 * @param vocabulary rows of the embedding
 * @param maxPositions most positions of a sequence
 * @param ropeTheta base of the rotary frequencies
 * @param normEpsilon added to the mean square in every norm
 * @param tied whether the language-model head is the embedding
 * @param queryKeyNorm whether queries and keys are normalised by head (Qwen3)
 * @param attentionBias whether query, key and value have a bias (Qwen2)
 * @param outputGate whether the query projection carries a gate of the attention's output (Qwen3.5)
 * @param zeroCentredNorm whether norms multiply by one plus their weight (Qwen3.5)
 * @param deltaNet sizes of the delta-net layers, if there are such
 */
public record ModelConfiguration(
        Architecture architecture,
        int hiddenSize,
        int feedForwardSize,
        List<LayerType> layerTypes,
        int heads,
        int keyValueHeads,
        int headSize,
        int rotarySize,
        int vocabulary,
        int maxPositions,
        double ropeTheta,
        RopeScaling ropeScaling,
        double normEpsilon,
        boolean tied,
        boolean queryKeyNorm,
        boolean attentionBias,
        boolean outputGate,
        boolean zeroCentredNorm,
        Optional<DeltaNet> deltaNet) {
    private static final int STATE_BYTES = Float.BYTES;

    public ModelConfiguration {
        layerTypes = List.copyOf(layerTypes);
    }

    public int layers() {
        return layerTypes.size();
    }

    /** Layers of a type. */
    public int layers(LayerType type) {
        return (int) layerTypes.stream().filter(type::equals).count();
    }

    /** Heads' worth of rows of the query projection, a gate included. */
    public int queryProjectionHeads() {
        return outputGate ? 2 * heads : heads;
    }

    /** Bytes of keys and values of one token in all attention layers, at {@code elementBytes} each. */
    public long cacheBytesPerToken(int elementBytes) {
        return 2L * layers(LayerType.ATTENTION) * keyValueHeads * headSize * elementBytes;
    }

    /**
     * Bytes of what the delta-net layers keep of one sequence, whatever its length: convolution windows at
     * {@code elementBytes} an element, and float32 matrices.
     */
    public long stateBytesPerSequence(int elementBytes) {
        return deltaNet.map(net -> layers(LayerType.DELTA_NET)
                        * (net.stateElements() * STATE_BYTES + net.windowElements() * elementBytes))
                .orElse(0L);
    }
}
