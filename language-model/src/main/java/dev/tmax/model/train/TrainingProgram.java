package dev.tmax.model.train;

import dev.tmax.model.ModelConfiguration;
import dev.tmax.model.Precision;
import dev.tmax.model.program.DecoderSource;
import dev.tmax.model.program.WeightLoader;

/** TorchScript text of the training step. */
final class TrainingProgram {
    private TrainingProgram() {}

    static String source(ModelConfiguration model, TrainingOptions options) {
        DecoderSource source = DecoderSource.differentiable(model, options.compute());
        boolean floatHead = options.floatHead() || options.compute() == Precision.FP32;
        return source.blocks()
                + (model.deltaNet().isPresent() ? source.fill(DELTA_LAYER) : "")
                + source.fill(BODY.replace("LAYERS\n", source.layers(ATTENTION_CALL, DELTA_CALL)))
                + source.fill(floatHead ? FLOAT_HEAD : COMPUTE_HEAD)
                + HEAD
                + BUFFERS
                + source.fill(OPTIMIZER)
                + WeightLoader.METHODS;
    }

    /**
     * The layers over one packed row. {@code embedded} gives the input {@code [tokens, hidden]}, a leaf whose gradient is
     * added to the embedding's rows afterwards, so that no dense gradient of the embedding is made. {@code hidden} gives
     * the final states of the rows that predict, {@code [predictors, hidden]} float32.
     */
    private static final String BODY = """
              def embedded(SELF, e: Tensor, ids: Tensor) -> Tensor:
                return torch.requires_grad_(torch.to(torch.index_select(torch.detach(e), 0, ids), $F32), True)
              def attention_layer(SELF, w: List[Tensor], i: int, x: Tensor, mask: Tensor, c: Tensor, s: Tensor) -> Tensor:
                n = torch.size(x, 0)
                p = (self).projected(w, i, x)
                qkv = (self).rotated(w, i, p, c, s)
                q = torch.unsqueeze(torch.transpose(torch.narrow(qkv, 1, 0, $HEADS), 0, 1), 0)
                k = torch.unsqueeze(torch.repeat_interleave(torch.transpose(torch.narrow(qkv, 1, $HEADS, $KV), 0, 1), $GROUP, 0), 0)
                v = torch.unsqueeze(torch.repeat_interleave(torch.transpose(torch.narrow(qkv, 1, $QK, $KV), 0, 1), $GROUP, 0), 0)
                o = torch.scaled_dot_product_attention(q, k, v, mask)
                return (self).attended(w, i, x, p, torch.reshape(torch.transpose(torch.squeeze(o, 0), 0, 1), [n, $ATTENTION]))
              def hidden(SELF, w: List[Tensor], x0: Tensor, positions: Tensor, visible: Tensor, segments: List[Tensor], counts: List[int], predictors: Tensor, C: Tensor, S: Tensor) -> Tensor:
                n = torch.size(x0, 0)
                x = x0
                c = torch.unsqueeze(torch.index_select(C, 0, positions), 1)
                s = torch.unsqueeze(torch.index_select(S, 0, positions), 1)
                mask = torch.masked_fill(torch.zeros([1, 1, n, n], dtype=$CT, layout=None, device=None, pin_memory=None), torch.logical_not(visible), -inf)
            LAYERS
                return (self).norm(torch.index_select(x, 0, predictors), w[$FINAL])
              def body_gradient(SELF, hidden: Tensor, leaves: List[Tensor], g: Tensor) -> List[Tensor]:
                gradients = torch.grad([hidden], leaves, annotate(List[Optional[Tensor]], [g]))
                r = annotate(List[Tensor], [])
                for i in range(torch.len(gradients)):
                  torch.append(r, unchecked_cast(Tensor, gradients[i]))
                return r
            """;

    private static final String ATTENTION_CALL = "attention_layer(w, FIRST, x, mask, c, s)";
    private static final String DELTA_CALL = "delta_layer(w, FIRST, x, segments, counts)";

    /**
     * A delta-net layer over the packed row, by the tables of {@link DeltaSegments}: convolution over the segments laid
     * out with what precedes each, the rule over chunks, and back to rows.
     */
    private static final String DELTA_LAYER = """
              def in_chunks(SELF, h: Tensor) -> Tensor:
                return torch.transpose(torch.reshape(h, [-1, $D_CHUNK, torch.size(h, 1), torch.size(h, 2)]), 1, 2)
              def delta_layer(SELF, w: List[Tensor], i: int, x: Tensor, segments: List[Tensor], counts: List[int]) -> Tensor:
                p = (self).delta_projected(w, i, x)
                channels = torch.constant_pad_nd(torch.to(torch.narrow(p, 1, 0, $D_CHANNELS), $F32), [0, 0, 0, 1])
                y = (self).convolved(w, i, torch.index_select(channels, 0, segments[0]))
                h = (self).delta_heads(torch.index_select(y, 0, segments[1]))
                gates = torch.index_select(torch.narrow(p, 1, $D_GATES, $D_TWO_HEADS), 0, segments[2])
                real = torch.unsqueeze(segments[3], 1)
                g = torch.unsqueeze(torch.mul((self).decay(w, i, gates), real), 2)
                beta = torch.unsqueeze(torch.mul((self).strength(gates), real), 2)
                zero = torch.zeros([1, $D_HEADS, $D_KEY_SIZE, $D_VALUE_SIZE], dtype=$F32, layout=None, device=None, pin_memory=None)
                r = (self).delta_chunks((self).in_chunks(h[0]), (self).in_chunks(h[1]), (self).in_chunks(h[2]), torch.squeeze((self).in_chunks(g), 3), torch.squeeze((self).in_chunks(beta), 3), zero, counts)
                o = torch.reshape(torch.transpose(r[0], 1, 2), [-1, $D_HEADS, $D_VALUE_SIZE])
                return (self).delta_output(w, i, x, p, torch.index_select(o, 0, segments[4]))
            """;

    /** {@code project}: logits of hidden states. {@code unproject}: their gradient, given the logits' gradient. */
    private static final String FLOAT_HEAD = """
              def project(SELF, h: Tensor, head: Tensor) -> Tensor:
                return torch.linear(h, head, None)
              def unproject(SELF, d: Tensor, h: Tensor, head: Tensor, gradient: Tensor) -> Tensor:
                torch.addmm_(gradient, torch.t(d), h)
                return torch.matmul(d, head)
            """;

    private static final String COMPUTE_HEAD = """
              def project(SELF, h: Tensor, head: Tensor) -> Tensor:
                return torch.to(torch.linear(torch.to(h, $CT), head, None), $F32)
              def unproject(SELF, d: Tensor, h: Tensor, head: Tensor, gradient: Tensor) -> Tensor:
                dc = torch.to(d, $CT)
                torch.add_(gradient, torch.matmul(torch.t(dc), torch.to(h, $CT)))
                return torch.to(torch.matmul(dc, head), $F32)
            """;

    /**
     * Log-softmax of the head in closed form, without a graph: with p the distribution at the temperature, the gradient
     * of {@code c · log p[target]} by the logits is {@code c · (onehot(target) − p) / temperature}. Logits are made in
     * chunks of rows and again in the backward pass, so memory does not grow with tokens times vocabulary.
     */
    private static final String HEAD = """
              def scores(self: __torch__.M, h: Tensor, head: Tensor, targets: Tensor, scale: float) -> List[Tensor]:
                x = torch.mul_((self).project(h, head), scale)
                target = torch.squeeze(torch.gather(x, 1, torch.unsqueeze(targets, 1)), 1)
                total = torch.logsumexp(x, [1], False)
                p = torch.exp(torch.sub(x, torch.unsqueeze(total, 1)))
                return [torch.sub(target, total), torch.sub(total, torch.sum(torch.mul_(p, x), [1]))]
              def head_values(self: __torch__.M, hidden: Tensor, head: Tensor, targets: Tensor, scale: float, chunk: int) -> List[Tensor]:
                h = torch.split(torch.detach(hidden), chunk, 0)
                t = torch.split(targets, chunk, 0)
                logp = annotate(List[Tensor], [])
                entropy = annotate(List[Tensor], [])
                for i in range(torch.len(h)):
                  r = (self).scores(h[i], head, t[i], scale)
                  torch.append(logp, r[0])
                  torch.append(entropy, r[1])
                return [torch.cat(logp, 0), torch.cat(entropy, 0)]
              def head_gradient(self: __torch__.M, hidden: Tensor, head: Tensor, targets: Tensor, coefficients: Tensor, scale: float, chunk: int, gradient: Tensor) -> Tensor:
                h = torch.split(torch.detach(hidden), chunk, 0)
                t = torch.split(targets, chunk, 0)
                c = torch.split(torch.mul(coefficients, scale), chunk, 0)
                r = annotate(List[Tensor], [])
                for i in range(torch.len(h)):
                  d = torch.softmax(torch.mul_((self).project(h[i], head), scale), 1)
                  d = torch.mul_(d, torch.unsqueeze(torch.neg(c[i]), 1))
                  d = torch.scatter_add_(d, 1, torch.unsqueeze(t[i], 1), torch.unsqueeze(c[i], 1))
                  torch.append(r, (self).unproject(d, h[i], head, gradient))
                return torch.cat(r, 0)
            """;

    /** Flat buffers and views on them. */
    private static final String BUFFERS = """
              def zeros(self: __torch__.M, n: int, dtype: int) -> Tensor:
                return torch.zeros([n], dtype=dtype, layout=None, device=None, pin_memory=None)
              def view(self: __torch__.M, flat: Tensor, offset: int, n: int, columns: int) -> Tensor:
                v = torch.detach(torch.narrow(flat, 0, offset, n))
                if torch.gt(columns, 0):
                  r = torch.view(v, [-1, columns])
                else:
                  r = v
                return r
              def leaf(self: __torch__.M, view: Tensor) -> Tensor:
                return torch.requires_grad_(view, True)
              def converted(self: __torch__.M, x: Tensor, dtype: int) -> Tensor:
                return torch.to(x, dtype)
              def assign(self: __torch__.M, target: Tensor, source: Tensor) -> int:
                torch.copy_(target, source)
                return 0
              def clear(self: __torch__.M, x: Tensor) -> int:
                torch.zero_(x)
                return 0
              def accumulate(self: __torch__.M, views: List[Tensor], gradients: List[Tensor]) -> int:
                torch._foreach_add_(views, gradients)
                return 0
              def accumulate_rows(self: __torch__.M, embedding: Tensor, ids: Tensor, gradient: Tensor) -> int:
                torch.index_add_(embedding, 0, ids, gradient)
                return 0
            """;

    /**
     * Global norm, scaling and AdamW over the flat buffers, and rounding of the result to what layers compute with. The
     * buffers come as lists of one: a call that writes into a list made here would be dropped as dead code.
     */
    private static final String OPTIMIZER = """
              def gradient_norm(SELF, g: Tensor) -> Tensor:
                return torch.linalg_vector_norm(g)
              def adamw(SELF, p: List[Tensor], g: List[Tensor], m: List[Tensor], v: List[Tensor], steps: List[Tensor], scale: float, lr: float, beta1: float, beta2: float, eps: float, decay: float) -> int:
                torch._foreach_mul_(g, scale)
                torch._foreach_add_(steps, 1)
                torch._fused_adamw_(p, g, m, v, annotate(List[Tensor], []), steps, lr=lr, beta1=beta1, beta2=beta2, weight_decay=decay, eps=eps, amsgrad=False, maximize=False)
                return 0
              def refresh(SELF, work: Tensor, master: Tensor) -> int:
                torch.copy_(work, torch.to(master, 15))
                return 0
            """;
}
