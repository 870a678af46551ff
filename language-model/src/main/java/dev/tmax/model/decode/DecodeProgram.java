package dev.tmax.model.decode;

import dev.tmax.model.ModelConfiguration;
import dev.tmax.model.Precision;
import dev.tmax.model.program.DecoderSource;
import dev.tmax.model.program.WeightLoader;

/**
 * TorchScript text of decoding.
 *
 * <p>The cache has {@code [2, rows, keyValueHeads, positions, headSize]} for each attention layer. A step works on its
 * first rows, so that keys and values are views, never gathered. What delta-net layers keep is in {@link RecurrentStates}.
 */
final class DecodeProgram {
    private DecodeProgram() {}

    static String source(ModelConfiguration model, DecodeOptions options) {
        DecoderSource source = new DecoderSource(model, options.compute());
        return source.blocks()
                + source.fill(STEP.replace("LAYERS\n", source.layers(ATTENTION_STEP_CALL, DELTA_STEP_CALL)))
                + source.fill(EXTEND.replace("LAYERS\n", source.layers(ATTENTION_EXTEND_CALL, DELTA_EXTEND_CALL)))
                + (model.deltaNet().isPresent() ? source.fill(DELTA_STEP + DELTA_EXTEND) : "")
                + source.fill(options.floatHead() || options.compute() == Precision.FP32 ? FLOAT_HEAD : COMPUTE_HEAD)
                + SAMPLE
                + CACHE
                + RECURRENT
                + WeightLoader.METHODS;
    }

    private static final String ATTENTION_STEP_CALL =
            "attention_step(w, FIRST, x, cache[ORDINAL], at, pos, mask, tmax, c, s)";
    private static final String DELTA_STEP_CALL = "delta_step(w, FIRST, x, windows[ORDINAL], states[ORDINAL])";
    private static final String ATTENTION_EXTEND_CALL =
            "attention_extend(w, FIRST, x, torch.select(cache[ORDINAL], 1, row), start, window," + " mask, c, s)";
    private static final String DELTA_EXTEND_CALL = "delta_extend(w, FIRST, x,"
            + " torch.select(windows[ORDINAL], 0, row),"
            + " torch.select(states[ORDINAL], 0, row), start)";

    /**
     * One token of each of the first rows: ids and positions {@code [rows]}, context {@code tmax} of at least the longest; gives
     * final hidden states {@code [rows, hidden]} float32.
     */
    private static final String STEP = """
          def attention_step(SELF, w: List[Tensor], i: int, x: Tensor, layer: Tensor, at: Tensor, pos: Tensor, mask: Tensor, tmax: int, c: Tensor, s: Tensor) -> Tensor:
            rows = torch.size(x, 0)
            p = (self).projected(w, i, x)
            qkv = (self).rotated(w, i, p, c, s)
            kc = torch.select(layer, 0, 0)
            vc = torch.select(layer, 0, 1)
            torch.index_put_(torch.transpose(kc, 1, 2), annotate(List[Optional[Tensor]], [at, pos]), torch.narrow(qkv, 1, $HEADS, $KV))
            torch.index_put_(torch.transpose(vc, 1, 2), annotate(List[Optional[Tensor]], [at, pos]), torch.narrow(qkv, 1, $QK, $KV))
            q = torch.view(torch.narrow(qkv, 1, 0, $HEADS), [rows, $KV, $GROUP, $SIZE])
            k = torch.narrow(torch.narrow(kc, 0, 0, rows), 2, 0, tmax)
            v = torch.narrow(torch.narrow(vc, 0, 0, rows), 2, 0, tmax)
            o = torch.scaled_dot_product_attention(q, k, v, mask)
            return (self).attended(w, i, x, p, torch.reshape(o, [rows, $ATTENTION]))
          def step(SELF, w: List[Tensor], e: Tensor, cache: List[Tensor], windows: List[Tensor], states: List[Tensor], ids: Tensor, pos: Tensor, iota: Tensor, tmax: int, C: Tensor, S: Tensor) -> Tensor:
            rows = torch.size(ids, 0)
            x = torch.to(torch.index_select(e, 0, ids), $F32)
            c = torch.unsqueeze(torch.index_select(C, 0, pos), 1)
            s = torch.unsqueeze(torch.index_select(S, 0, pos), 1)
            mask = torch.view(torch.le(torch.unsqueeze(torch.narrow(iota, 0, 0, tmax), 0), torch.unsqueeze(pos, 1)), [rows, 1, 1, tmax])
            at = torch.narrow(iota, 0, 0, rows)
        LAYERS
            return (self).norm(x, w[$FINAL])
        """;

    /** Tokens of one row after its first {@code start}; gives the last one's final hidden state {@code [1, hidden]}. */
    private static final String EXTEND = """
          def attention_extend(SELF, w: List[Tensor], i: int, x: Tensor, layer: Tensor, start: int, window: int, mask: Tensor, c: Tensor, s: Tensor) -> Tensor:
            n = torch.size(x, 0)
            p = (self).projected(w, i, x)
            qkv = (self).rotated(w, i, p, c, s)
            kc = torch.select(layer, 0, 0)
            vc = torch.select(layer, 0, 1)
            torch.copy_(torch.narrow(kc, 1, start, n), torch.transpose(torch.narrow(qkv, 1, $HEADS, $KV), 0, 1))
            torch.copy_(torch.narrow(vc, 1, start, n), torch.transpose(torch.narrow(qkv, 1, $QK, $KV), 0, 1))
            k = torch.unsqueeze(torch.narrow(kc, 1, 0, window), 0)
            v = torch.unsqueeze(torch.narrow(vc, 1, 0, window), 0)
            return (self).attended(w, i, x, p, (self).attention(torch.narrow(qkv, 1, 0, $HEADS), k, v, mask))
          def extend(SELF, w: List[Tensor], e: Tensor, cache: List[Tensor], windows: List[Tensor], states: List[Tensor], ids: Tensor, start: int, row: int, window: int, C: Tensor, S: Tensor) -> Tensor:
            n = torch.size(ids, 0)
            x = torch.to(torch.index_select(e, 0, ids), $F32)
            c = torch.unsqueeze(torch.narrow(C, 0, start, n), 1)
            s = torch.unsqueeze(torch.narrow(S, 0, start, n), 1)
            mask = (self).causal(n, start, window)
        LAYERS
            return (self).norm(torch.narrow(x, 0, torch.sub(n, 1), 1), w[$FINAL])
        """;

    /** One token of each of the first rows, of one layer's {@link RecurrentStates}. */
    private static final String DELTA_STEP = """
          def delta_step(SELF, w: List[Tensor], i: int, x: Tensor, windows: Tensor, states: Tensor) -> Tensor:
            rows = torch.size(x, 0)
            p = (self).delta_projected(w, i, x)
            before = torch.narrow(windows, 0, 0, rows)
            extended = torch.cat([before, torch.unsqueeze(torch.narrow(p, 1, 0, $D_CHANNELS), 1)], 1)
            torch.copy_(before, torch.narrow(extended, 1, 1, $D_WINDOW))
            h = (self).delta_heads(torch.squeeze((self).convolved(w, i, torch.to(extended, $F32)), 1))
            gates = torch.narrow(p, 1, $D_GATES, $D_TWO_HEADS)
            s = torch.view(torch.narrow(states, 0, 0, rows), [-1, $D_KEY_SIZE, $D_VALUE_SIZE])
            torch.mul_(s, torch.view(torch.exp((self).decay(w, i, gates)), [-1, 1, 1]))
            k = torch.reshape(h[1], [-1, 1, $D_KEY_SIZE])
            error = torch.sub(torch.reshape(h[2], [-1, 1, $D_VALUE_SIZE]), torch.bmm(k, s))
            torch.baddbmm_(s, torch.transpose(k, 1, 2), torch.mul(error, torch.reshape((self).strength(gates), [-1, 1, 1])))
            o = torch.bmm(torch.reshape(h[0], [-1, 1, $D_KEY_SIZE]), s)
            return (self).delta_output(w, i, x, p, torch.view(o, [-1, $D_HEADS, $D_VALUE_SIZE]))
        """;

    /** Tokens of one row, whose window and matrices begin as zero. */
    private static final String DELTA_EXTEND = """
          def in_chunks(SELF, h: Tensor, missing: int) -> Tensor:
            padded = torch.constant_pad_nd(h, [0, 0, 0, 0, 0, missing])
            return torch.transpose(torch.reshape(padded, [-1, $D_CHUNK, torch.size(h, 1), torch.size(h, 2)]), 1, 2)
          def delta_extend(SELF, w: List[Tensor], i: int, x: Tensor, window: Tensor, state: Tensor, start: int) -> Tensor:
            n = torch.size(x, 0)
            if torch.eq(start, 0):
              torch.zero_(window)
              torch.zero_(state)
            p = (self).delta_projected(w, i, x)
            extended = torch.cat([window, torch.narrow(p, 1, 0, $D_CHANNELS)], 0)
            torch.copy_(window, torch.narrow(extended, 0, n, $D_WINDOW))
            h = (self).delta_heads((self).convolved(w, i, torch.to(extended, $F32)))
            gates = torch.narrow(p, 1, $D_GATES, $D_TWO_HEADS)
            missing = torch.remainder(torch.neg(n), $D_CHUNK)
            g = torch.squeeze((self).in_chunks(torch.unsqueeze((self).decay(w, i, gates), 2), missing), 3)
            beta = torch.squeeze((self).in_chunks(torch.unsqueeze((self).strength(gates), 2), missing), 3)
            counts = annotate(List[int], [])
            for chunk in range(torch.size(g, 0)):
              torch.append(counts, 1)
            r = (self).delta_chunks((self).in_chunks(h[0], missing), (self).in_chunks(h[1], missing), (self).in_chunks(h[2], missing), g, beta, torch.unsqueeze(state, 0), counts)
            torch.copy_(state, torch.squeeze(r[1], 0))
            o = torch.reshape(torch.transpose(r[0], 1, 2), [-1, $D_HEADS, $D_VALUE_SIZE])
            return (self).delta_output(w, i, x, p, torch.narrow(o, 0, 0, n))
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

    /** Moves of the first {@code n} positions between rows, and in and out of prompt caches. */
    private static final String CACHE = """
          def allocate(self: __torch__.M, shape: List[int], dtype: int) -> Tensor:
            return torch.zeros(shape, dtype=dtype, layout=None, device=None, pin_memory=None)
          def carry_over(self: __torch__.M, old: Tensor, next: Tensor, common: List[int]) -> int:
            source = old
            target = next
            for d in range(torch.len(common)):
              source = torch.narrow(source, d, 0, common[d])
              target = torch.narrow(target, d, 0, common[d])
            torch.copy_(target, source)
            return 0
          def positions(self: __torch__.M, layer: Tensor, row: int, n: int) -> Tensor:
            return torch.narrow(torch.select(layer, 1, row), 2, 0, n)
          def extract(self: __torch__.M, cache: List[Tensor], row: int, n: int) -> List[Tensor]:
            kept = annotate(List[Tensor], [])
            for l in range(torch.len(cache)):
              torch.append(kept, torch.clone((self).positions(cache[l], row, n), memory_format=0))
            return kept
          def insert(self: __torch__.M, cache: List[Tensor], row: int, kept: List[Tensor]) -> int:
            for l in range(torch.len(cache)):
              torch.copy_((self).positions(cache[l], row, torch.size(kept[l], 2)), kept[l])
            return 0
          def move(self: __torch__.M, cache: List[Tensor], source: int, target: int, n: int) -> int:
            for l in range(torch.len(cache)):
              torch.copy_((self).positions(cache[l], target, n), (self).positions(cache[l], source, n))
            return 0
          def swapped(self: __torch__.M, first: Tensor, second: Tensor) -> int:
            kept = torch.clone(first, memory_format=0)
            torch.copy_(first, second)
            torch.copy_(second, kept)
            return 0
          def exchange(self: __torch__.M, cache: List[Tensor], first: int, second: int, n: int) -> int:
            for l in range(torch.len(cache)):
              done = (self).swapped((self).positions(cache[l], first, n), (self).positions(cache[l], second, n))
            return 0
        """;

    /** Moves of {@link RecurrentStates} between rows, and in and out of prompt caches. */
    private static final String RECURRENT = """
          def extract_state(self: __torch__.M, windows: List[Tensor], states: List[Tensor], row: int) -> List[Tensor]:
            kept = annotate(List[Tensor], [])
            for l in range(torch.len(windows)):
              torch.append(kept, torch.clone(torch.select(windows[l], 0, row), memory_format=0))
            for l in range(torch.len(states)):
              torch.append(kept, torch.clone(torch.select(states[l], 0, row), memory_format=0))
            return kept
          def insert_state(self: __torch__.M, windows: List[Tensor], states: List[Tensor], row: int, kept: List[Tensor]) -> int:
            layers = torch.len(windows)
            for l in range(layers):
              torch.copy_(torch.select(windows[l], 0, row), kept[l])
              torch.copy_(torch.select(states[l], 0, row), kept[torch.add(layers, l)])
            return 0
          def move_state(self: __torch__.M, windows: List[Tensor], states: List[Tensor], source: int, target: int) -> int:
            for l in range(torch.len(windows)):
              torch.copy_(torch.select(windows[l], 0, target), torch.select(windows[l], 0, source))
              torch.copy_(torch.select(states[l], 0, target), torch.select(states[l], 0, source))
            return 0
          def exchange_state(self: __torch__.M, windows: List[Tensor], states: List[Tensor], first: int, second: int) -> int:
            for l in range(torch.len(windows)):
              done = (self).swapped(torch.select(windows[l], 0, first), torch.select(windows[l], 0, second))
              done0 = (self).swapped(torch.select(states[l], 0, first), torch.select(states[l], 0, second))
            return 0
        """;
}
