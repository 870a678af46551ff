package dev.tmax.model.train;

import dev.tmax.model.LayerType;
import dev.tmax.model.ModelConfiguration;
import dev.tmax.model.Precision;
import dev.tmax.model.program.DecoderSource;
import dev.tmax.model.program.FusedLayout;
import dev.tmax.model.program.WeightLoader;

/** TorchScript text of the training step. */
final class TrainingProgram {
    private TrainingProgram() {}

    static String source(ModelConfiguration model, TrainingOptions options) {
        DecoderSource source = new DecoderSource(model, options.compute());
        // In float32 the product is added in place; in bfloat16 it has another type than the gradient.
        String addProduct = options.compute() == Precision.FP32
                ? "torch.addmm_(g, torch.t(d), torch.detach(x))"
                : "torch.add_(g, torch.matmul(torch.t(d), torch.detach(x)))";
        boolean floatHead = options.floatHead() || options.compute() == Precision.FP32;
        return source.blocks()
                + source.fill(BODY.replace("ADD_PRODUCT", addProduct))
                + source.fill(attention(model))
                + (model.deltaNet().isPresent() ? source.fill(delta(model)) : "")
                + source.fill(floatHead ? FLOAT_HEAD : COMPUTE_HEAD)
                + HEAD
                + BUFFERS
                + source.fill(OPTIMIZER)
                + WeightLoader.METHODS;
    }

    /**
     * The ends of a pass, and what layers are made of. {@code embedded} gives the first layer's input
     * {@code [tokens, hidden]}, a leaf whose gradient is added to the embedding's rows afterwards, so that no dense gradient
     * of the embedding is made. {@code final} gives the states of the rows that predict, {@code [predictors, hidden]}
     * float32.
     *
     * <p>Products have no graph: their results are leaves, and the backward methods put their gradients between those of
     * the pieces. So training multiplies by the kernel that decoding does, and a token has the same bits in both.
     */
    private static final String BODY = """
          def embedded(SELF, e: Tensor, ids: Tensor) -> Tensor:
            return torch.requires_grad_(torch.to(torch.index_select(torch.detach(e), 0, ids), $F32), True)
          def angles(SELF, table: Tensor, positions: Tensor) -> Tensor:
            return torch.unsqueeze(torch.index_select(table, 0, positions), 1)
          def product(SELF, x: Tensor, w: Tensor, b: Optional[Tensor]) -> Tensor:
            return torch.requires_grad_((self).linear(torch.detach(x), (self).pack(torch.detach(w)), b), True)
          def residual(SELF, x: Tensor, o: Tensor, w: Tensor) -> Tensor:
            return torch.requires_grad_(torch.add(torch.detach(x), torch.detach((self).product(o, w, None))), True)
          def final(SELF, w: List[Tensor], x: Tensor, predictors: Tensor) -> Tensor:
            return (self).norm(torch.index_select(x, 0, predictors), w[$FINAL])
          def gradients(SELF, y: Tensor, leaves: List[Tensor], d: Tensor) -> List[Tensor]:
            found = torch.grad([y], leaves, annotate(List[Optional[Tensor]], [d]))
            r = annotate(List[Tensor], [])
            for i in range(torch.len(found)):
              torch.append(r, unchecked_cast(Tensor, found[i]))
            return r
          def product_backward(SELF, d: Tensor, x: Tensor, w: Tensor, g: Tensor) -> Tensor:
            ADD_PRODUCT
            return torch.matmul(d, torch.detach(w))
          def norm_backward(SELF, d: Tensor, y: Tensor, x: Tensor, gain: Tensor, g: Tensor) -> Tensor:
            r = (self).gradients(y, [x, gain], d)
            torch.add_(g, r[1])
            return r[0]
          def final_backward(SELF, d: Tensor, y: Tensor, x: Tensor, w: List[Tensor], g: List[Tensor]) -> Tensor:
            return (self).norm_backward(d, y, x, w[$FINAL], g[$FINAL])
        """;

    /**
     * One layer: mixer, then feed-forward block. {@code TYPE_forward} gives what its gradient needs, {@code TYPE_next} the
     * next layer's input. {@code TYPE_backward} adds gradients to {@code g}, the views of the gradient buffer by part;
     * {@code d} is the gradient of the output, and that of the input {@code x} comes back.
     */
    private static final String LAYER = """
          def TYPE_forward(SELF, w: List[Tensor], i: int, x: Tensor, c: Tensor, s: Tensor, runs: List[int], masks: List[Tensor], segments: List[Tensor], counts: List[int]) -> List[Tensor]:
            h = torch.to((self).norm(x, w[i]), $CT)
            y = (self).product(h, w[torch.add(i, 1)], BIAS)
            o = (self).CORE
            middle = (self).residual(x, o, w[torch.add(i, OUTPUT)])
            h2 = torch.to((self).norm(middle, w[torch.add(i, POST)]), $CT)
            y2 = (self).product(h2, w[torch.add(i, GATE)], None)
            return [h, y, o, middle, h2, y2, (self).gated(y2)]
          def TYPE_next(SELF, w: List[Tensor], i: int, inner: List[Tensor]) -> Tensor:
            return (self).residual(inner[3], inner[6], w[torch.add(i, DOWN)])
          def TYPE_backward(SELF, d: Tensor, w: List[Tensor], i: int, g: List[Tensor], x: Tensor, inner: List[Tensor]) -> Tensor:
            h, y, o, middle, h2, y2, m, = inner
            dm = (self).product_backward(torch.to(d, $CT), m, w[torch.add(i, DOWN)], g[torch.add(i, DOWN)])
            dy2 = (self).gradients(m, [y2], dm)[0]
            dh2 = (self).product_backward(dy2, h2, w[torch.add(i, GATE)], g[torch.add(i, GATE)])
            d2 = torch.add(d, (self).norm_backward(dh2, h2, middle, w[torch.add(i, POST)], g[torch.add(i, POST)]))
            do = (self).product_backward(torch.to(d2, $CT), o, w[torch.add(i, OUTPUT)], g[torch.add(i, OUTPUT)])
            r = (self).gradients(o, [PARAMETERS], do)
        ADD_PARAMETERS
            dh = (self).product_backward(r[0], h, w[torch.add(i, 1)], g[torch.add(i, 1)])
            return torch.add(d2, (self).norm_backward(dh, h, x, w[i], g[i]))
        """;

    private static final String ATTENTION_CORE = "attention_core(w, i, y, c, s, runs, masks)";
    private static final String DELTA_CORE = "delta_core(w, i, y, segments, counts)";

    /**
     * {@code runs} are the tokens of the prompt, then of each sample. A sample attends over the prompt and itself, in the
     * window that its sequence has in decoding.
     */
    private static final String ATTENTION = """
          def windowed(SELF, parts: List[Tensor], window: int) -> Tensor:
            joined = torch.cat(parts, 0)
            padding = torch.sub(window, torch.size(joined, 0))
            padded = torch.constant_pad_nd(joined, [0, 0, 0, 0, 0, padding], 0)
            return torch.unsqueeze(torch.transpose(padded, 0, 1), 0)
          def attention_core(SELF, w: List[Tensor], i: int, y: Tensor, c: Tensor, s: Tensor, runs: List[int], masks: List[Tensor]) -> Tensor:
            p = torch.view(y, [-1, PROJECTED_HEADS, $SIZE])
            q, k, v, = torch.split_with_sizes((self).rotated(w, i, p, c, s), [$HEADS, $KV, $KV], 1)
            qs = torch.split_with_sizes(q, runs, 0)
            ks = torch.split_with_sizes(k, runs, 0)
            vs = torch.split_with_sizes(v, runs, 0)
            o = annotate(List[Tensor], [])
            for j in range(torch.len(runs)):
              if torch.eq(j, 0):
                kj = [ks[0]]
                vj = [vs[0]]
              else:
                kj = [ks[0], ks[j]]
                vj = [vs[0], vs[j]]
              window = torch.size(masks[j], 3)
              torch.append(o, (self).attention(qs[j], (self).windowed(kj, window), (self).windowed(vj, window), masks[j]))
            return (self).gated_heads(p, torch.cat(o, 0))
        """;

    /**
     * The delta net over the packed row, by the tables of {@link DeltaSegments}: convolution over the segments laid out
     * with what precedes each, the rule over chunks, and back to rows.
     */
    private static final String DELTA = """
          def in_chunks(SELF, h: Tensor) -> Tensor:
            return torch.transpose(torch.reshape(h, [-1, $D_CHUNK, torch.size(h, 1), torch.size(h, 2)]), 1, 2)
          def delta_core(SELF, w: List[Tensor], i: int, p: Tensor, segments: List[Tensor], counts: List[int]) -> Tensor:
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
            return (self).delta_gated(w, i, p, torch.index_select(o, 0, segments[4]))
        """;

    /** Beginning of the names of a type's methods. */
    static String name(LayerType type) {
        return switch (type) {
            case ATTENTION -> "attention";
            case DELTA_NET -> "delta";
        };
    }

    private static String attention(ModelConfiguration model) {
        int output = model.attentionBias() ? 3 : 2;
        int heads = model.queryProjectionHeads() + 2 * model.keyValueHeads();
        String bias = model.attentionBias() ? "torch.detach(w[torch.add(i, 2)])" : "None";
        String biasGradient = model.attentionBias()
                ? "    torch.add_(g[torch.add(i, 2)], torch.sum(r[0], [0], False, dtype=6))\n"
                : "";
        return ATTENTION.replace("PROJECTED_HEADS", "" + heads)
                + layer(model, LayerType.ATTENTION, ATTENTION_CORE, output, model.queryKeyNorm() ? 2 : 0, output + 1)
                        .replace("BIAS\n", biasGradient)
                        .replace("BIAS", bias);
    }

    private static String delta(ModelConfiguration model) {
        return DELTA
                + layer(model, LayerType.DELTA_NET, DELTA_CORE, 6, 4, 2)
                        .replace("BIAS\n", "")
                        .replace("BIAS", "None");
    }

    /**
     * A type's methods.
     *
     * @param output the output projection's part, counted from the layer's first
     * @param parameters how many parts the core computes with
     * @param first the first of them
     */
    private static String layer(
            ModelConfiguration model, LayerType type, String core, int output, int parameters, int first) {
        StringBuilder leaves = new StringBuilder("y");
        StringBuilder add = new StringBuilder("BIAS\n");
        for (int parameter = 0; parameter < parameters; parameter++) {
            String index = "[torch.add(i, " + (first + parameter) + ")]";
            leaves.append(", w").append(index);
            add.append("    torch.add_(g%s, r[%d])\n".formatted(index, parameter + 1));
        }
        int post = FusedLayout.mixerSize(model, type);
        return LAYER.replace("TYPE", name(type))
                .replace("CORE", core)
                .replace("OUTPUT", "" + output)
                .replace("POST", "" + post)
                .replace("GATE", "" + (post + 1))
                .replace("DOWN", "" + (post + 2))
                .replace("ADD_PARAMETERS\n", add)
                .replace("PARAMETERS", leaves);
    }

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
