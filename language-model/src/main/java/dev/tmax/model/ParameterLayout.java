package dev.tmax.model;

import java.util.ArrayList;
import java.util.List;

/**
 * A model's tensors in the order in which they lie in flat buffers, snapshots and exported files. Tensors that multiply
 * the same input are neighbours (query, key and value; gate and up; the projections of a delta net), so that each group
 * is one matrix of the flat buffer.
 */
public final class ParameterLayout {
    /**
     * One tensor.
     *
     * @param name Hugging Face name
     * @param shape sizes, outermost first
     * @param offset first element in the flat buffer
     */
    public record Parameter(String name, List<Long> shape, long offset) {
        /** Number of elements. */
        public long elements() {
            return shape.stream().reduce(1L, Math::multiplyExact);
        }
    }

    public static final String EMBEDDING = "model.embed_tokens.weight";
    public static final String HEAD = "lm_head.weight";

    private final List<Parameter> parameters = new ArrayList<>();
    private long elements;

    private ParameterLayout() {}

    /** The tensors of a model of this configuration. */
    public static ParameterLayout of(ModelConfiguration model) {
        ParameterLayout layout = new ParameterLayout();
        layout.add(EMBEDDING, model.vocabulary(), model.hiddenSize());
        for (int layer = 0; layer < model.layers(); layer++) {
            layout.addLayer("model.layers." + layer + ".", model.layerTypes().get(layer), model);
        }
        layout.add("model.norm.weight", model.hiddenSize());
        if (!model.tied()) {
            layout.add(HEAD, model.vocabulary(), model.hiddenSize());
        }
        return layout;
    }

    private void addLayer(String layer, LayerType type, ModelConfiguration model) {
        long hidden = model.hiddenSize();
        add(layer + "input_layernorm.weight", hidden);
        switch (type) {
            case ATTENTION -> addAttention(layer + "self_attn.", model);
            case DELTA_NET ->
                addDeltaNet(layer + "linear_attn.", hidden, model.deltaNet().orElseThrow());
        }
        add(layer + "post_attention_layernorm.weight", hidden);
        add(layer + "mlp.gate_proj.weight", model.feedForwardSize(), hidden);
        add(layer + "mlp.up_proj.weight", model.feedForwardSize(), hidden);
        add(layer + "mlp.down_proj.weight", hidden, model.feedForwardSize());
    }

    private void addAttention(String prefix, ModelConfiguration model) {
        long hidden = model.hiddenSize();
        long queryRows = (long) model.queryProjectionHeads() * model.headSize();
        long keyRows = (long) model.keyValueHeads() * model.headSize();
        add(prefix + "q_proj.weight", queryRows, hidden);
        add(prefix + "k_proj.weight", keyRows, hidden);
        add(prefix + "v_proj.weight", keyRows, hidden);
        if (model.attentionBias()) {
            add(prefix + "q_proj.bias", queryRows);
            add(prefix + "k_proj.bias", keyRows);
            add(prefix + "v_proj.bias", keyRows);
        }
        add(prefix + "o_proj.weight", hidden, (long) model.heads() * model.headSize());
        if (model.queryKeyNorm()) {
            add(prefix + "q_norm.weight", model.headSize());
            add(prefix + "k_norm.weight", model.headSize());
        }
    }

    private void addDeltaNet(String prefix, long hidden, DeltaNet net) {
        add(prefix + "in_proj_qkv.weight", net.channels(), hidden);
        add(prefix + "in_proj_z.weight", net.valueSize(), hidden);
        add(prefix + "in_proj_b.weight", net.valueHeads(), hidden);
        add(prefix + "in_proj_a.weight", net.valueHeads(), hidden);
        add(prefix + "conv1d.weight", net.channels(), 1, net.taps());
        add(prefix + "dt_bias", net.valueHeads());
        add(prefix + "A_log", net.valueHeads());
        add(prefix + "norm.weight", net.valueHeadSize());
        add(prefix + "out_proj.weight", hidden, net.valueSize());
    }

    private void add(String name, long... shape) {
        List<Long> sizes = new ArrayList<>();
        for (long size : shape) {
            sizes.add(size);
        }
        Parameter parameter = new Parameter(name, List.copyOf(sizes), elements);
        parameters.add(parameter);
        elements += parameter.elements();
    }

    /** In flat order. */
    public List<Parameter> parameters() {
        return List.copyOf(parameters);
    }

    /** Number of elements of all tensors. */
    public long elements() {
        return elements;
    }
}
