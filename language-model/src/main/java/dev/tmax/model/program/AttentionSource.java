package dev.tmax.model.program;

import dev.tmax.model.ModelConfiguration;
import java.util.ArrayList;
import java.util.List;

/**
 * What softmax attention does before and after its scores: projections, norms by head, rotary positions, output gate.
 * Decoding and training differ in between, where they meet the cache or the packed row.
 */
final class AttentionSource {
    private AttentionSource() {}

    /** How many tensors each part is made of: norm, query-key-value, their bias, output, query norm, key norm. */
    static List<Integer> parts(ModelConfiguration model) {
        List<Integer> parts = new ArrayList<>(List.of(1, 3));
        if (model.attentionBias()) {
            parts.add(3);
        }
        parts.add(1);
        if (model.queryKeyNorm()) {
            parts.addAll(List.of(1, 1));
        }
        return parts;
    }

    /**
     * With {@code i} the norm's part:
     * <ul>
     *   <li>{@code projected(w, i, x)}: norm and projections of {@code x [rows, hidden]}:
     *       {@code [rows, query projection heads + 2 · keyValueHeads, headSize]} in the compute type
     *   <li>{@code rotated(w, i, p, c, s)}: queries, keys and values of projections {@code p}, normalised and turned:
     *       {@code [rows, heads + 2 · keyValueHeads, headSize]} in the compute type
     *   <li>{@code causal(n, start, window)}: mask of {@code n} queries from position {@code start} on, a row for each of
     *       the query heads that share keys
     *   <li>{@code attention(q, k, v, mask)}: {@code q [n, heads, headSize]} over
     *       {@code k, v [1, keyValueHeads, window, headSize]}, giving {@code [n, heads · headSize]}
     *   <li>{@code gated_heads(p, o)}: what is projected: {@code o}, through the output gate if there is one
     *   <li>{@code attended(w, i, x, p, o)}: residual plus output projection of {@code o [rows, heads · headSize]}
     * </ul>
     */
    static String methods(ModelConfiguration model) {
        int output = model.attentionBias() ? 3 : 2;
        return """
              def projected(SELF, w: List[Tensor], i: int, x: Tensor) -> Tensor:
                h = torch.to((self).norm(x, w[i]), $CT)
                return torch.view((self).linear(h, w[torch.add(i, 1)], QKV_BIAS), [-1, PROJECTED_HEADS, $SIZE])
              def rotated(SELF, w: List[Tensor], i: int, p: Tensor, c: Tensor, s: Tensor) -> Tensor:
            QUERY_KEY
            QK_NORM
            TURN
                return torch.cat([torch.to(turned, $CT), torch.narrow(p, 1, FIRST_VALUE, $KV)], 1)
              def attended(SELF, w: List[Tensor], i: int, x: Tensor, p: Tensor, o: Tensor) -> Tensor:
                return torch.add(x, (self).linear((self).gated_heads(p, o), w[torch.add(i, OUTPUT)], None))
              def gated_heads(SELF, p: Tensor, o: Tensor) -> Tensor:
                return GATED
              def causal(SELF, n: int, start: int, window: int) -> Tensor:
                key = torch.arange(window, dtype=4, layout=None, device=None, pin_memory=None)
                query = torch.add(torch.arange(n, dtype=4, layout=None, device=None, pin_memory=None), start)
                later = torch.gt(torch.unsqueeze(key, 0), torch.unsqueeze(query, 1))
                mask = torch.masked_fill(torch.zeros([n, window], dtype=$CT, layout=None, device=None, pin_memory=None), later, -inf)
                return torch.view(torch.repeat(mask, [$GROUP, 1]), [1, 1, torch.mul(n, $GROUP), window])
              def attention(SELF, q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
                n = torch.size(q, 0)
                grouped = torch.reshape(torch.transpose(q, 0, 1), [1, $KV, torch.mul(n, $GROUP), $SIZE])
                o = torch.reshape(torch.scaled_dot_product_attention(grouped, k, v, mask), [$HEADS, n, $SIZE])
                return torch.reshape(torch.transpose(o, 0, 1), [n, $ATTENTION])
            """.replace("QKV_BIAS", model.attentionBias() ? "w[torch.add(i, 2)]" : "None")
                        .replace("PROJECTED_HEADS", "" + (model.queryProjectionHeads() + 2 * model.keyValueHeads()))
                        .replace("QUERY_KEY\n", model.outputGate() ? GATED_QUERY_KEY : QUERY_KEY)
                        .replace("QK_NORM\n", model.queryKeyNorm() ? QUERY_KEY_NORM : "")
                        .replace("TURN\n", model.rotarySize() < model.headSize() ? PARTIAL_TURN : TURN)
                        .replace("FIRST_VALUE", "" + (model.queryProjectionHeads() + model.keyValueHeads()))
                        .replace("GATED", model.outputGate() ? "torch.mul(o, torch.sigmoid((self).gate(p)))" : "o")
                        .replace("OUTPUT", "" + output)
                        .replace("QUERY_NORM", "" + (output + 1))
                        .replace("KEY_NORM", "" + (output + 2))
                        .replace("$REST", "" + (model.headSize() - model.rotarySize()))
                        .replace("$TURNED", "" + model.rotarySize())
                + (model.outputGate() ? GATE : "");
    }

    private static final String QUERY_KEY = """
            qk = torch.narrow(p, 1, 0, $QK)
        """;

    /** Each head's query is followed by its gate. */
    private static final String GATED_QUERY_KEY = """
            q = torch.narrow((self).paired(p), 2, 0, $SIZE)
            qk = torch.cat([q, torch.narrow(p, 1, $PAIRS, $KV)], 1)
        """;

    private static final String QUERY_KEY_NORM = """
            qk0 = torch.to(qk, $F32)
            qn = (self).norm(torch.narrow(qk0, 1, 0, $HEADS), w[torch.add(i, QUERY_NORM)])
            kn = (self).norm(torch.narrow(qk0, 1, $HEADS, $KV), w[torch.add(i, KEY_NORM)])
            qk = torch.cat([qn, kn], 1)
        """;

    private static final String TURN = """
            a, b = torch.chunk(qk, 2, -1)
            turned = torch.add(torch.mul(qk, c), torch.mul(torch.cat([b, a], -1), s))
        """;

    private static final String PARTIAL_TURN = """
            first = torch.narrow(qk, 2, 0, $TURNED)
            a, b = torch.chunk(first, 2, -1)
            whole = torch.add(torch.mul(first, c), torch.mul(torch.cat([b, a], -1), s))
            turned = torch.cat([whole, torch.to(torch.narrow(qk, 2, $TURNED, $REST), $F32)], -1)
        """;

    private static final String GATE = """
          def paired(SELF, p: Tensor) -> Tensor:
            return torch.reshape(torch.narrow(p, 1, 0, $PAIRS), [-1, $HEADS, $PAIR_SIZE])
          def gate(SELF, p: Tensor) -> Tensor:
            return torch.reshape(torch.narrow((self).paired(p), 2, $SIZE, $SIZE), [-1, $ATTENTION])
        """;
}
