package dev.tmax.model.program;

import java.util.List;

/** The gated feed-forward block (Shazeer, GLU Variants Improve Transformer), with silu. */
final class FeedForwardSource {
    /** Norm, gate and up, down. */
    static final List<Integer> PARTS = List.of(1, 2, 1);

    private FeedForwardSource() {}

    /**
     * {@code mlp(w, i, x)}: residual plus feed-forward of {@code x [rows, hidden]}; {@code i} is the norm's part.
     * {@code gated(y)}: projected gate and up to the inner state.
     */
    static String methods() {
        return """
              def mlp(SELF, w: List[Tensor], i: int, x: Tensor) -> Tensor:
                h = torch.to((self).norm(x, w[i]), $CT)
                return torch.add(x, (self).linear((self).gated((self).linear(h, w[torch.add(i, 1)], None)), w[torch.add(i, 2)], None))
              def gated(SELF, y: Tensor) -> Tensor:
                g, u = torch.chunk(y, 2, -1)
                return torch.mul(torch.silu(g), u)
            """;
    }
}
