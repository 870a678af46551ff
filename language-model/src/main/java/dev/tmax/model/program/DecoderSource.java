package dev.tmax.model.program;

import dev.tmax.model.ModelConfiguration;
import dev.tmax.model.Precision;

/**
 * TorchScript text of a decoder layer's blocks, from the configuration. Decoding and training put them together
 * differently but compute the same numbers: residual stream, norms and rotation in float32, matrix products and
 * attention in the compute type.
 */
public final class DecoderSource {
    private static final int BFLOAT16 = 15;
    private static final int FLOAT32 = 6;

    private final ModelConfiguration model;
    private final int compute;
    private final String linear;

    /**
     * Blocks of a model.
     *
     * @param linear the method that multiplies, {@code (x, weight, bias)}
     */
    private DecoderSource(ModelConfiguration model, Precision precision, String linear) {
        this.model = model;
        this.compute = precision == Precision.BF16 ? BFLOAT16 : FLOAT32;
        this.linear = linear;
    }

    /** Multiplies by plain weights, recording gradients. */
    public static DecoderSource differentiable(ModelConfiguration model, Precision precision) {
        return new DecoderSource(model, precision, "torch.linear(x, w, b)");
    }

    /** Multiplies by weights that oneDNN has packed for itself (see {@link #packing}); no gradients. */
    public static DecoderSource packed(ModelConfiguration model, Precision precision) {
        return new DecoderSource(
                model,
                precision,
                "ops.mkldnn._linear_pointwise(x, w, b, \"none\", annotate(List[Optional[number]], []), None)");
    }

    /** Text of methods with placeholders filled: {@code $H} hidden size, {@code $CT} compute type, and so on. */
    public String fill(String methods) {
        return methods.replace("SELF", "self: __torch__.M")
                .replace("$LAYERS", "" + model.layers())
                .replace("$STRIDE", "" + stride())
                .replace("$FINAL", "" + model.layers() * stride())
                .replace("$HIDDEN", "" + model.hiddenSize())
                .replace("$ATTENTION", "" + model.heads() * model.headSize())
                .replace("$GROUP", "" + model.heads() / model.keyValueHeads())
                // Longer names first: $QK is the beginning of $QKV.
                .replace("$QKV", "" + (model.heads() + 2 * model.keyValueHeads()))
                .replace("$QK", "" + (model.heads() + model.keyValueHeads()))
                .replace("$HEADS", "" + model.heads())
                .replace("$KV", "" + model.keyValueHeads())
                .replace("$SIZE", "" + model.headSize())
                .replace("$EPSILON", "" + model.normEpsilon())
                .replace("$CT", "" + compute)
                .replace("$F32", "" + FLOAT32);
    }

    private int stride() {
        return 6 + (model.attentionBias() ? 1 : 0) + (model.queryKeyNorm() ? 2 : 0);
    }

    /**
     * The blocks, where {@code w} is the {@link FusedLayout} list and {@code i} a layer's first index in it:
     * <ul>
     *   <li>{@code norm(x, gain)}: root-mean-square norm over the last dimension
     *   <li>{@code rotated(w, i, x, c, s)}: {@code [rows, hidden]} to normalised, projected, rotated query-key-value
     *       {@code [rows, heads + 2 · keyValueHeads, headSize]} in the compute type
     *   <li>{@code attended(w, i, x, o)}: residual plus output projection of {@code o [rows, heads · headSize]}
     *   <li>{@code mlp(w, i, x)}: residual plus gated feed-forward
     * </ul>
     */
    public String blocks() {
        return fill("""
              def linear(SELF, x: Tensor, w: Tensor, b: Optional[Tensor]) -> Tensor:
                return LINEAR
              def norm(SELF, x: Tensor, gain: Tensor) -> Tensor:
                scale = torch.rsqrt(torch.add(torch.mean(torch.mul(x, x), [-1], True), $EPSILON))
                return torch.mul(torch.mul(x, scale), gain)
              def rotated(SELF, w: List[Tensor], i: int, x: Tensor, c: Tensor, s: Tensor) -> Tensor:
                h = torch.to((self).norm(x, w[i]), $CT)
                qkv = torch.view((self).linear(h, w[torch.add(i, 1)], QKV_BIAS), [-1, $QKV, $SIZE])
                qk = torch.narrow(qkv, 1, 0, $QK)
            QK_NORM
                a, b = torch.chunk(qk, 2, -1)
                turned = torch.add(torch.mul(qk, c), torch.mul(torch.cat([b, a], -1), s))
                return torch.cat([torch.to(turned, $CT), torch.narrow(qkv, 1, $QK, $KV)], 1)
              def attended(SELF, w: List[Tensor], i: int, x: Tensor, o: Tensor) -> Tensor:
                return torch.add(x, (self).linear(o, w[torch.add(i, OUTPUT)], None))
              def mlp(SELF, w: List[Tensor], i: int, x: Tensor) -> Tensor:
                h = torch.to((self).norm(x, w[torch.add(i, POST_NORM)]), $CT)
                g, u = torch.chunk((self).linear(h, w[torch.add(i, GATE_UP)], None), 2, -1)
                return torch.add(x, (self).linear(torch.mul(torch.silu(g), u), w[torch.add(i, DOWN)], None))
            """.replace("LINEAR", linear)
                .replace("QKV_BIAS", model.attentionBias() ? "w[torch.add(i, 2)]" : "None")
                .replace("QK_NORM\n", queryKeyNorm())
                .replace("OUTPUT", "" + output())
                .replace("POST_NORM", "" + (stride() - 3))
                .replace("GATE_UP", "" + (stride() - 2))
                .replace("DOWN", "" + (stride() - 1)));
    }

    private int output() {
        return model.attentionBias() ? 3 : 2;
    }

    private String queryKeyNorm() {
        if (!model.queryKeyNorm()) {
            return "";
        }
        return """
                  qk0 = torch.to(qk, $F32)
                  qn = (self).norm(torch.narrow(qk0, 1, 0, $HEADS), w[torch.add(i, QUERY_NORM)])
                  kn = (self).norm(torch.narrow(qk0, 1, $HEADS, $KV), w[torch.add(i, KEY_NORM)])
                  qk = torch.cat([qn, kn], 1)
              """.replace("QUERY_NORM", "" + (output() + 1)).replace("KEY_NORM", "" + (output() + 2));
    }

    /** {@code pack(weight)}: a weight in oneDNN's layout, of the compute type. */
    public static String packing() {
        return """
              def pack(self: __torch__.M, w: Tensor, dtype: int, batch: int) -> Tensor:
                return ops.mkldnn._reorder_linear_weight(torch.to(w, dtype), batch)
            """;
    }
}
