package dev.tmax.model.program;

import dev.tmax.model.LayerType;
import dev.tmax.model.ModelConfiguration;
import dev.tmax.model.Precision;
import java.util.EnumMap;
import java.util.Map;

/**
 * TorchScript text of a decoder's blocks, from the configuration. Decoding and training put them together differently but
 * compute the same numbers: residual stream, norms and rotation in float32, matrix products and attention in the compute
 * type.
 */
public final class DecoderSource {
    private static final int BFLOAT16 = 15;
    private static final int FLOAT32 = 6;

    /** Rows that weights are packed for; other batches use the same packing. */
    private static final int PACKED_BATCH = 32;

    /**
     * {@code pack(weight)}: a weight of the compute type in oneDNN's layout. {@code linear(x, packed, bias)}: product
     * without a graph; its kernel gives a row the same bits whatever rows are beside it, which the product with a plain
     * weight does not.
     */
    private static final String LINEAR = """
          def pack(SELF, w: Tensor) -> Tensor:
            return ops.mkldnn._reorder_linear_weight(w, PACKED_BATCH)
          def linear(SELF, x: Tensor, w: Tensor, b: Optional[Tensor]) -> Tensor:
            return ops.mkldnn._linear_pointwise(x, w, b, "none", annotate(List[Optional[number]], []), None)
        """.replace("PACKED_BATCH", "" + PACKED_BATCH);

    private final ModelConfiguration model;
    private final int compute;

    public DecoderSource(ModelConfiguration model, Precision precision) {
        this.model = model;
        this.compute = precision == Precision.BF16 ? BFLOAT16 : FLOAT32;
    }

    /** Text of methods with placeholders filled: {@code $HIDDEN} hidden size, {@code $CT} compute type, and so on. */
    public String fill(String methods) {
        String filled = methods.replace("SELF", "self: __torch__.M")
                .replace("$FINAL", "" + (FusedLayout.size(model) - 1))
                .replace("$HIDDEN", "" + model.hiddenSize())
                .replace("$ATTENTION", "" + model.heads() * model.headSize())
                .replace("$GROUP", "" + model.heads() / model.keyValueHeads())
                .replace("$PAIRS", "" + 2 * model.heads())
                .replace("$PAIR_SIZE", "" + 2 * model.headSize())
                // Longer names first: $QK is the beginning of $QKV.
                .replace("$QKV", "" + (model.heads() + 2 * model.keyValueHeads()))
                .replace("$QK", "" + (model.heads() + model.keyValueHeads()))
                .replace("$HEADS", "" + model.heads())
                .replace("$KV", "" + model.keyValueHeads())
                .replace("$SIZE", "" + model.headSize())
                .replace("$EPSILON", "" + model.normEpsilon())
                .replace("$CT", "" + compute)
                .replace("$F32", "" + FLOAT32);
        return model.deltaNet().map(net -> DeltaNetSource.fill(filled, net)).orElse(filled);
    }

    /** The methods of all blocks, where {@code w} is the {@link FusedLayout} list; see the source of each block. */
    public String blocks() {
        String delta = model.deltaNet().isPresent() ? DeltaNetSource.blocks() + DeltaNetSource.chunks() : "";
        return fill(LINEAR
                + NormSource.methods(model.zeroCentredNorm())
                + AttentionSource.methods(model)
                + FeedForwardSource.methods()
                + delta);
    }

    /**
     * Text of all layers, each a statement that changes {@code x} by its mixer, then one by its feed-forward block.
     *
     * @param attention the call of an attention layer, such as {@code attention(w, FIRST, x, ORDINAL)}, where FIRST is the
     *     layer's first part and ORDINAL its number among the attention layers
     * @param deltaNet the call of a delta-net layer, likewise
     */
    public String layers(String attention, String deltaNet) {
        StringBuilder text = new StringBuilder();
        int first = 0;
        Map<LayerType, Integer> ordinals = new EnumMap<>(LayerType.class);
        for (LayerType type : model.layerTypes()) {
            String call = switch (type) {
                case ATTENTION -> attention;
                case DELTA_NET -> deltaNet;
            };
            text.append("    x = (self).")
                    .append(call.replace("FIRST", "" + first)
                            .replace("ORDINAL", "" + (ordinals.merge(type, 1, Integer::sum) - 1)))
                    .append('\n');
            first += FusedLayout.mixerParts(model, type).size();
            text.append("    x = (self).mlp(w, ").append(first).append(", x)\n");
            first += FeedForwardSource.PARTS.size();
        }
        return text.toString();
    }
}
