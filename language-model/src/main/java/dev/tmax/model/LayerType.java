package dev.tmax.model;

/** What mixes the tokens of a sequence in a layer; a feed-forward block follows in every layer. */
public enum LayerType {
    /** Softmax attention over all tokens before. */
    ATTENTION("full_attention"),
    /** Gated delta net: a recurrent matrix of fixed size in place of keys and values. */
    DELTA_NET("linear_attention");

    private final String configName;

    LayerType(String configName) {
        this.configName = configName;
    }

    /** The name in {@code layer_types} of {@code config.json}. */
    public String configName() {
        return configName;
    }
}
