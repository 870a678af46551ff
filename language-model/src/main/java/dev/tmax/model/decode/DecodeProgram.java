package dev.tmax.model.decode;

import dev.tmax.model.ModelConfiguration;
import dev.tmax.model.Precision;
import dev.tmax.model.program.DecoderSource;
import dev.tmax.model.program.WeightLoader;

/**
 * TorchScript text of decoding.
 *
 * <p>The cache is {@code [layers, 2, slots, keyValueHeads, positions, headSize]}. A step works on its first {@code rows}
 * slots, so that keys and values are views, never gathered.
 */
final class DecodeProgram {
    private DecodeProgram() {}

    static String source(ModelConfiguration model, DecodeOptions options) {
        DecoderSource source = DecoderSource.packed(model, options.compute());
        return source.blocks()
                + source.fill(STEP)
                + source.fill(EXTEND)
                + source.fill(options.floatHead() || options.compute() == Precision.FP32 ? FLOAT_HEAD : COMPUTE_HEAD)
                + SAMPLE
                + CACHE
                + DecoderSource.packing()
                + WeightLoader.METHODS;
    }

    /**
     * One token of each of the first rows: ids and positions {@code [rows]}, context {@code tmax} of at least the longest; gives
     * final hidden states {@code [rows, hidden]} float32.
     */
    private static final String STEP = """
              def step(SELF, w: List[Tensor], e: Tensor, cache: Tensor, ids: Tensor, pos: Tensor, iota: Tensor, tmax: int, C: Tensor, S: Tensor) -> Tensor:
                rows = torch.size(ids, 0)
                x = torch.to(torch.index_select(e, 0, ids), $F32)
                c = torch.unsqueeze(torch.index_select(C, 0, pos), 1)
                s = torch.unsqueeze(torch.index_select(S, 0, pos), 1)
                mask = torch.view(torch.le(torch.unsqueeze(torch.narrow(iota, 0, 0, tmax), 0), torch.unsqueeze(pos, 1)), [rows, 1, 1, tmax])
                at = torch.narrow(iota, 0, 0, rows)
                for l in range($LAYERS):
                  i = torch.mul(l, $STRIDE)
                  qkv = (self).rotated(w, i, x, c, s)
                  layer = torch.select(cache, 0, l)
                  kc = torch.select(layer, 0, 0)
                  vc = torch.select(layer, 0, 1)
                  torch.index_put_(torch.transpose(kc, 1, 2), annotate(List[Optional[Tensor]], [at, pos]), torch.narrow(qkv, 1, $HEADS, $KV))
                  torch.index_put_(torch.transpose(vc, 1, 2), annotate(List[Optional[Tensor]], [at, pos]), torch.narrow(qkv, 1, $QK, $KV))
                  q = torch.view(torch.narrow(qkv, 1, 0, $HEADS), [rows, $KV, $GROUP, $SIZE])
                  k = torch.narrow(torch.narrow(kc, 0, 0, rows), 2, 0, tmax)
                  v = torch.narrow(torch.narrow(vc, 0, 0, rows), 2, 0, tmax)
                  o = torch.scaled_dot_product_attention(q, k, v, mask)
                  x = (self).attended(w, i, x, torch.reshape(o, [rows, $ATTENTION]))
                  x = (self).mlp(w, i, x)
                return (self).norm(x, w[$FINAL])
            """;

    /** Tokens of one slot after its first {@code start}; gives the last one's final hidden state {@code [1, hidden]}. */
    private static final String EXTEND = """
              def extend(SELF, w: List[Tensor], e: Tensor, cache: Tensor, ids: Tensor, start: int, slot: int, iota: Tensor, C: Tensor, S: Tensor) -> Tensor:
                n = torch.size(ids, 0)
                end = torch.add(start, n)
                x = torch.to(torch.index_select(e, 0, ids), $F32)
                c = torch.unsqueeze(torch.narrow(C, 0, start, n), 1)
                s = torch.unsqueeze(torch.narrow(S, 0, start, n), 1)
                mask = torch.le(torch.unsqueeze(torch.narrow(iota, 0, 0, end), 0), torch.unsqueeze(torch.narrow(iota, 0, start, n), 1))
                for l in range($LAYERS):
                  i = torch.mul(l, $STRIDE)
                  qkv = (self).rotated(w, i, x, c, s)
                  layer = torch.select(torch.select(cache, 0, l), 1, slot)
                  kc = torch.select(layer, 0, 0)
                  vc = torch.select(layer, 0, 1)
                  torch.copy_(torch.narrow(kc, 1, start, n), torch.transpose(torch.narrow(qkv, 1, $HEADS, $KV), 0, 1))
                  torch.copy_(torch.narrow(vc, 1, start, n), torch.transpose(torch.narrow(qkv, 1, $QK, $KV), 0, 1))
                  q = torch.unsqueeze(torch.transpose(torch.narrow(qkv, 1, 0, $HEADS), 0, 1), 0)
                  k = torch.unsqueeze(torch.repeat_interleave(torch.narrow(kc, 1, 0, end), $GROUP, 0), 0)
                  v = torch.unsqueeze(torch.repeat_interleave(torch.narrow(vc, 1, 0, end), $GROUP, 0), 0)
                  o = torch.scaled_dot_product_attention(q, k, v, mask)
                  x = (self).attended(w, i, x, torch.reshape(torch.transpose(torch.squeeze(o, 0), 0, 1), [n, $ATTENTION]))
                  x = (self).mlp(w, i, x)
                return (self).norm(torch.narrow(x, 0, torch.sub(n, 1), 1), w[$FINAL])
            """;

    private static final String FLOAT_HEAD = """
              def logits(SELF, hidden: List[Tensor], head: Tensor) -> Tensor:
                return (self).linear(torch.cat(hidden, 0), head, None)
            """;

    private static final String COMPUTE_HEAD = """
              def logits(SELF, hidden: List[Tensor], head: Tensor) -> Tensor:
                return torch.to((self).linear(torch.to(torch.cat(hidden, 0), $CT), head, None), $F32)
            """;

    /**
     * Draws by inverting the cumulative distribution. For each row: {@code scale} 1 / temperature (1 if greedy),
     * {@code uniform} in [0, 1), {@code greedy}; all {@code [rows, 1]}. {@code truncated} first removes what top-k and
     * top-p leave out. Gives ids {@code [rows]} and log-probabilities {@code [rows]}.
     */
    private static final String SAMPLE = """
              def sample(self: __torch__.M, logits: Tensor, scale: Tensor, uniform: Tensor, greedy: Tensor) -> List[Tensor]:
                return (self).draw(torch.mul(logits, scale), uniform, greedy)
              def truncated(self: __torch__.M, logits: Tensor, scale: Tensor, uniform: Tensor, greedy: Tensor, k: Tensor, p: Tensor) -> List[Tensor]:
                x = torch.mul(logits, scale)
                sorted, order = torch.sort(x, -1, True)
                probability = torch.softmax(sorted, -1)
                before = torch.sub(torch.cumsum(probability, -1), probability)
                rank = torch.unsqueeze(torch.arange(torch.size(x, 1), dtype=4, layout=None, device=None, pin_memory=None), 0)
                drop = torch.logical_or(torch.ge(rank, k), torch.ge(before, p))
                kept = torch.masked_fill(sorted, drop, -1.e30)
                return (self).draw(torch.scatter(x, 1, order, kept), uniform, greedy)
              def draw(self: __torch__.M, x: Tensor, uniform: Tensor, greedy: Tensor) -> List[Tensor]:
                most, best = torch.max(x, 1, True)
                cumulative = torch.cumsum(torch.exp_(torch.sub(x, most)), 1)
                total = torch.narrow(cumulative, 1, torch.sub(torch.size(x, 1), 1), 1)
                drawn = torch.clamp(torch.searchsorted(cumulative, torch.mul(uniform, total), out_int32=False, right=True), 0, torch.sub(torch.size(x, 1), 1))
                id = torch.where(greedy, best, drawn)
                logp = torch.sub(torch.sub(torch.gather(x, 1, id), most), torch.log(total))
                return [torch.squeeze(id, 1), torch.squeeze(logp, 1)]
            """;

    /** Moves of the first {@code n} positions between slots, and in and out of prompt caches. */
    private static final String CACHE = """
              def allocate(self: __torch__.M, shape: List[int], dtype: int) -> Tensor:
                return torch.zeros(shape, dtype=dtype, layout=None, device=None, pin_memory=None)
              def enlarge(self: __torch__.M, cache: Tensor, larger: Tensor) -> int:
                torch.copy_(torch.narrow(larger, 4, 0, torch.size(cache, 4)), cache)
                return 0
              def positions(self: __torch__.M, cache: Tensor, slot: int, n: int) -> Tensor:
                return torch.narrow(torch.select(cache, 2, slot), 3, 0, n)
              def extract(self: __torch__.M, cache: Tensor, slot: int, n: int) -> Tensor:
                return torch.clone((self).positions(cache, slot, n), memory_format=0)
              def insert(self: __torch__.M, cache: Tensor, slot: int, prefix: Tensor) -> int:
                torch.copy_((self).positions(cache, slot, torch.size(prefix, 3)), prefix)
                return 0
              def move(self: __torch__.M, cache: Tensor, source: int, target: int, n: int) -> int:
                torch.copy_((self).positions(cache, target, n), (self).positions(cache, source, n))
                return 0
            """;
}
