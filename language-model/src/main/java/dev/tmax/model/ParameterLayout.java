package dev.tmax.model;

import java.util.ArrayList;
import java.util.List;

/**
 * A model's tensors in the order in which they lie in flat buffers, snapshots and exported files. Query, key and value
 * of a layer are neighbours, as are gate and up, so that each group is one matrix of the flat buffer.
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
            layout.addLayer("model.layers." + layer + ".", model);
        }
        layout.add("model.norm.weight", model.hiddenSize());
        if (!model.tied()) {
            layout.add(HEAD, model.vocabulary(), model.hiddenSize());
        }
        return layout;
    }

    private void addLayer(String layer, ModelConfiguration model) {
        long hidden = model.hiddenSize();
        long queryRows = (long) model.heads() * model.headSize();
        long keyRows = (long) model.keyValueHeads() * model.headSize();
        add(layer + "input_layernorm.weight", hidden);
        add(layer + "self_attn.q_proj.weight", queryRows, hidden);
        add(layer + "self_attn.k_proj.weight", keyRows, hidden);
        add(layer + "self_attn.v_proj.weight", keyRows, hidden);
        if (model.attentionBias()) {
            add(layer + "self_attn.q_proj.bias", queryRows);
            add(layer + "self_attn.k_proj.bias", keyRows);
            add(layer + "self_attn.v_proj.bias", keyRows);
        }
        add(layer + "self_attn.o_proj.weight", hidden, queryRows);
        if (model.queryKeyNorm()) {
            add(layer + "self_attn.q_norm.weight", model.headSize());
            add(layer + "self_attn.k_norm.weight", model.headSize());
        }
        add(layer + "post_attention_layernorm.weight", hidden);
        add(layer + "mlp.gate_proj.weight", model.feedForwardSize(), hidden);
        add(layer + "mlp.up_proj.weight", model.feedForwardSize(), hidden);
        add(layer + "mlp.down_proj.weight", hidden, model.feedForwardSize());
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
