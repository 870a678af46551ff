package dev.tmax.model;

/**
 * Parameters of a model and the memory it takes to train and to generate, by arithmetic on its configuration. Layers
 * compute in bfloat16, the head in float32.
 */
public record ModelRequirements(ModelConfiguration model, long parameters) {
    private static final int BF16 = 2;
    private static final int F32 = 4;
    /** Float32 master, gradient and two moments, and bfloat16 working weights. */
    private static final int TRAINING_BYTES = 4 * F32 + BF16;

    public static ModelRequirements of(ModelConfiguration model) {
        return new ModelRequirements(model, ParameterLayout.of(model).elements());
    }

    /** Bytes of the weights as exported, in bfloat16. */
    public long weightBytes() {
        return BF16 * parameters;
    }

    /** Bytes of weights, optimizer and head that stand between training steps. */
    public long trainingBytes() {
        return TRAINING_BYTES * parameters + headBytes();
    }

    /**
     * About the bytes that a packed row keeps for its backward pass: what each operation of the layers saves, and the
     * attention mask. The head adds at most 128 MiB at a time.
     *
     * @param tokens of the packed row
     */
    public long activationBytes(int tokens) {
        long mask = (long) tokens * tokens * (2 * BF16 + 1);
        return tokens
                        * (model.layers(LayerType.ATTENTION) * attentionBytes()
                                + model.layers(LayerType.DELTA_NET)
                                        * model.deltaNet()
                                                .map(this::deltaNetBytes)
                                                .orElse(0L)
                                + model.layers() * feedForwardBytes())
                + mask;
    }

    /** A norm keeps its float32 input, the normalised one, and the rounded result. */
    private long normBytes() {
        return (2L * F32 + BF16) * model.hiddenSize();
    }

    private long attentionBytes() {
        long projected = (long) (model.queryProjectionHeads() + 2 * model.keyValueHeads()) * model.headSize();
        long width = (long) model.heads() * model.headSize();
        long normalised =
                model.queryKeyNorm() ? 2L * F32 * (model.heads() + model.keyValueHeads()) * model.headSize() : 0;
        // Projections, turned queries with keys and values repeated for all heads, and the output, gated.
        return normBytes() + normalised + BF16 * (projected + 3 * width + (model.outputGate() ? 3 : 1) * width);
    }

    private long deltaNetBytes(DeltaNet net) {
        long keys = (long) net.valueHeads() * net.keyHeadSize();
        long values = net.valueSize();
        // Convolution: its input laid out, its sum, its output. Rule: q, k, v and what the solution and the scan make
        // of
        // them, three square matrices of 32 tokens a head, and the states between chunks.
        long convolution = 3L * net.channels();
        long rule = 8 * keys + 5 * values + 3L * 32 * net.valueHeads() + 2 * net.stateElements() / 32;
        long output = 4 * values;
        return normBytes() + BF16 * (net.projectionRows() + values) + F32 * (convolution + rule + output);
    }

    private long feedForwardBytes() {
        return normBytes() + BF16 * 4L * model.feedForwardSize();
    }

    /**
     * Bytes of a generator: weights, float32 head, and what every sequence keeps at its full length.
     *
     * @param sequences held at the same time
     * @param tokens of each, prompt included
     */
    public long generatingBytes(int sequences, int tokens) {
        return weightBytes() + headBytes() + sequences * sequenceBytes(tokens);
    }

    /** Bytes that one sequence of that many tokens keeps. */
    public long sequenceBytes(int tokens) {
        return tokens * model.cacheBytesPerToken(BF16) + model.stateBytesPerSequence(BF16);
    }

    private long headBytes() {
        return (long) F32 * model.vocabulary() * model.hiddenSize();
    }
}
