package dev.tmax.model.program;

import dev.tmax.model.DeltaNet;
import java.util.List;

/**
 * The gated delta net (Yang et al., Gated Delta Networks: Improving Mamba2 with Delta Rule), as Qwen3.5 has it. With
 * {@code S [keySize, valueSize]} the matrix of a head, each token computes
 *
 * <pre>
 * S ← exp(g) · S;   S ← S + k ⊗ β (v − Sᵀk);   o = Sᵀq
 * </pre>
 *
 * where {@code g = −exp(A) · softplus(a + bias)}, {@code β = σ(b)}, and q, k, v have passed a short causal convolution and
 * silu; q and k are of unit length, q divided by the root of its size. Everything after the projections is in float32.
 */
public final class DeltaNetSource {
    /** Tokens that the chunked form computes at once. */
    public static final int CHUNK = 32;

    /**
     * How many tensors each part is made of: norm, projections (query-key-value, z, b, a), convolution, bias, A, norm of
     * the output, output projection.
     */
    static final List<Integer> PARTS = List.of(1, 4, 1, 1, 1, 1, 1);

    private DeltaNetSource() {}

    static String fill(String methods, DeltaNet net) {
        return methods.replace("$D_CHANNELS", "" + net.channels())
                .replace("$D_WINDOW", "" + (net.taps() - 1))
                .replace("$D_TAPS", "" + net.taps())
                .replace("$D_KEYS", "" + net.keySize())
                .replace("$D_VALUES", "" + net.valueSize())
                .replace("$D_TWO_KEYS", "" + 2 * net.keySize())
                .replace("$D_KEY_HEADS", "" + net.keyHeads())
                .replace("$D_HEADS", "" + net.valueHeads())
                .replace("$D_REPEAT", "" + net.valueHeads() / net.keyHeads())
                .replace("$D_KEY_SIZE", "" + net.keyHeadSize())
                .replace("$D_VALUE_SIZE", "" + net.valueHeadSize())
                .replace("$D_ROOT", "" + 1 / Math.sqrt(net.keyHeadSize()))
                .replace("$D_GATES", "" + (net.channels() + net.valueSize()))
                .replace("$D_TWO_HEADS", "" + 2 * net.valueHeads())
                .replace("$D_CHUNK", "" + CHUNK);
    }

    /**
     * With {@code i} the first norm's part:
     * <ul>
     *   <li>{@code delta_projected(w, i, x)}: norm and projections of {@code x [rows, hidden]}:
     *       {@code [rows, channels | z | b | a]} in the compute type
     *   <li>{@code convolved(w, i, x)}: {@code x [.., taps − 1 + n, channels]} to {@code [.., n, channels]}
     *   <li>{@code delta_heads(y)}: {@code [n, channels]} to q, k {@code [n, heads, keySize]} and v {@code [n, heads, valueSize]}
     *   <li>{@code decay(w, i, gates)}, {@code strength(gates)}: g and β, {@code [.., heads]}, of {@code [.., b | a]}
     *   <li>{@code delta_gated(w, i, p, o)}: what is projected: gated, normalised {@code o}, {@code [n, values]}
     *   <li>{@code delta_output(w, i, x, p, o)}: residual plus projection of the gated, normalised
     *       {@code o [n, heads, valueSize]}
     * </ul>
     */
    static String blocks() {
        return """
              def delta_projected(SELF, w: List[Tensor], i: int, x: Tensor) -> Tensor:
                return (self).linear(torch.to((self).norm(x, w[i]), $CT), w[torch.add(i, 1)], None)
              def convolved(SELF, w: List[Tensor], i: int, x: Tensor) -> Tensor:
                kernel = torch.t(torch.view(torch.to(w[torch.add(i, 2)], $F32), [$D_CHANNELS, $D_TAPS]))
                n = torch.sub(torch.size(x, -2), $D_WINDOW)
                y = torch.mul(torch.narrow(x, -2, 0, n), torch.select(kernel, 0, 0))
                for tap in range($D_WINDOW):
                  j = torch.add(tap, 1)
                  y = torch.add(y, torch.mul(torch.narrow(x, -2, j, n), torch.select(kernel, 0, j)))
                return torch.silu(y)
              def unit_length(SELF, x: Tensor) -> Tensor:
                return torch.mul(x, torch.rsqrt(torch.add(torch.sum(torch.mul(x, x), [-1], True), 1.e-6)))
              def delta_heads(SELF, y: Tensor) -> List[Tensor]:
                q = (self).unit_length(torch.reshape(torch.narrow(y, 1, 0, $D_KEYS), [-1, $D_KEY_HEADS, $D_KEY_SIZE]))
                k = (self).unit_length(torch.reshape(torch.narrow(y, 1, $D_KEYS, $D_KEYS), [-1, $D_KEY_HEADS, $D_KEY_SIZE]))
                v = torch.reshape(torch.narrow(y, 1, $D_TWO_KEYS, $D_VALUES), [-1, $D_HEADS, $D_VALUE_SIZE])
                return [torch.repeat_interleave(torch.mul(q, $D_ROOT), $D_REPEAT, 1), torch.repeat_interleave(k, $D_REPEAT, 1), v]
              def decay(SELF, w: List[Tensor], i: int, gates: Tensor) -> Tensor:
                a = torch.add(torch.to(torch.narrow(gates, -1, $D_HEADS, $D_HEADS), $F32), torch.to(w[torch.add(i, 3)], $F32))
                return torch.mul(torch.neg(torch.exp(torch.to(w[torch.add(i, 4)], $F32))), torch.softplus(a))
              def strength(SELF, gates: Tensor) -> Tensor:
                return torch.sigmoid(torch.to(torch.narrow(gates, -1, 0, $D_HEADS), $F32))
              def delta_gated(SELF, w: List[Tensor], i: int, p: Tensor, o: Tensor) -> Tensor:
                z = torch.silu(torch.to(torch.narrow(p, 1, $D_CHANNELS, $D_VALUES), $F32))
                y = torch.reshape(torch.mul((self).unit(o), w[torch.add(i, 5)]), [-1, $D_VALUES])
                return torch.to(torch.mul(y, z), $CT)
              def delta_output(SELF, w: List[Tensor], i: int, x: Tensor, p: Tensor, o: Tensor) -> Tensor:
                return torch.add(x, (self).linear((self).delta_gated(w, i, p, o), w[torch.add(i, 6)], None))
            """;
    }

    /**
     * {@code delta_chunks(q, k, v, g, beta, state, counts)}: the rule over chunks of tokens,
     * {@code [chunks, heads, chunk, size]} (g and β {@code [chunks, heads, chunk]}), in {@code counts.length} steps: step
     * {@code t} takes the next {@code counts[t]} chunks, one of each sequence that is still there. Where more sequences
     * come than were, each continues the state of the one before; where fewer, the last ones have ended. Tokens with g and
     * β of zero change nothing. Gives o {@code [chunks, heads, chunk, valueSize]} and the state after the last step.
     *
     * <p>Inside a chunk, with γ the running sum of g and {@code ∘} by element: {@code T = (I + tril(βKKᵀ ∘ e^(γᵢ−γⱼ), −1))⁻¹},
     * {@code U = TβV}, {@code W = Tβe^γK}; then from state to state {@code V' = U − WS}, {@code O = e^γQS + (QKᵀ ∘ e^(γᵢ−γⱼ))V'},
     * {@code S ← e^γₗ S + (e^(γₗ−γ)K)ᵀV'}.
     */
    static String chunks() {
        return """
              def delta_chunks(SELF, q: Tensor, k: Tensor, v: Tensor, g: Tensor, beta: Tensor, state: Tensor, counts: List[int]) -> List[Tensor]:
                n = torch.size(q, 2)
                total = torch.cumsum(g, 2)
                later = torch.to(torch.triu(torch.ones([n, n], dtype=$F32, layout=None, device=None, pin_memory=None), 1), 11)
                fade = torch.exp(torch.masked_fill(torch.sub(torch.unsqueeze(total, 3), torch.unsqueeze(total, 2)), later, -inf))
                kt = torch.transpose(k, 2, 3)
                strong = torch.mul(k, torch.unsqueeze(beta, 3))
                start = torch.unsqueeze(torch.exp(total), 3)
                right = torch.cat([torch.mul(v, torch.unsqueeze(beta, 3)), torch.mul(strong, start)], 3)
                solved = torch.linalg_solve_triangular(torch.mul(torch.matmul(strong, kt), fade), right, upper=False, left=True, unitriangular=True)
                written = torch.narrow(solved, 3, 0, $D_VALUE_SIZE)
                erased = torch.narrow(solved, 3, $D_VALUE_SIZE, $D_KEY_SIZE)
                inside = torch.mul(torch.matmul(q, kt), fade)
                read = torch.mul(q, start)
                last = torch.narrow(total, 2, torch.sub(n, 1), 1)
                kept = torch.unsqueeze(torch.exp(last), 3)
                stored = torch.mul(kt, torch.unsqueeze(torch.exp(torch.sub(last, total)), 2))
                o = annotate(List[Tensor], [])
                s = state
                at = 0
                for t in range(torch.len(counts)):
                  m = counts[t]
                  if torch.gt(torch.size(s, 0), m):
                    s0 = torch.narrow(s, 0, 0, m)
                  else:
                    s0 = torch.expand(s, [m, -1, -1, -1])
                  new = torch.sub(torch.narrow(written, 0, at, m), torch.matmul(torch.narrow(erased, 0, at, m), s0))
                  torch.append(o, torch.add(torch.matmul(torch.narrow(read, 0, at, m), s0), torch.matmul(torch.narrow(inside, 0, at, m), new)))
                  s = torch.add(torch.mul(s0, torch.narrow(kept, 0, at, m)), torch.matmul(torch.narrow(stored, 0, at, m), new))
                  at = torch.add(at, m)
                return [torch.cat(o, 0), s]
            """;
    }
}
