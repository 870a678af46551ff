package dev.tmax.model;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** Decoders that this runtime computes, by the name in {@code config.json}'s {@code architectures}. */
public enum Architecture {
    /** Llama family, SmolLM2 among them. */
    LLAMA("LlamaForCausalLM", "llama"),
    /** Qwen2 and 2.5: biases on query, key and value. */
    QWEN2("Qwen2ForCausalLM", "qwen2"),
    /** Qwen3 dense: query and key normalised by head. */
    QWEN3("Qwen3ForCausalLM", "qwen3"),
    /** Text part of Qwen3.5: gated delta-net layers between gated attention layers. */
    QWEN3_5("Qwen3_5ForCausalLM", "qwen3_5_text");

    private final String className;
    private final String modelType;

    Architecture(String className, String modelType) {
        this.className = className;
        this.modelType = modelType;
    }

    /** The name in {@code architectures}. */
    public String className() {
        return className;
    }

    /** The name in {@code model_type}. */
    public String modelType() {
        return modelType;
    }

    static Optional<Architecture> named(String className) {
        return Arrays.stream(values())
                .filter(architecture -> architecture.className.equals(className))
                .findFirst();
    }

    static String supported() {
        return Arrays.stream(values()).map(Architecture::className).collect(Collectors.joining(", "));
    }
}
