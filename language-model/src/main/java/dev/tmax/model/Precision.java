package dev.tmax.model;

/** The number format in which a model's layers compute. The residual stream, norms and softmax are float32 in both. */
public enum Precision {
    /** Matrix products and attention in bfloat16. */
    BF16,
    /** Everything in float32. */
    FP32
}
