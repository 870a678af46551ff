package dev.tmax.model.gguf;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** GGUF's names of Hugging Face tensors. */
final class GgufNames {
    private static final Pattern LAYER = Pattern.compile("model\\.layers\\.(\\d+)\\.(.+)\\.(weight|bias)");

    private static final Map<String, String> IN_LAYER = Map.ofEntries(
            Map.entry("input_layernorm", "attn_norm"),
            Map.entry("self_attn.q_proj", "attn_q"),
            Map.entry("self_attn.k_proj", "attn_k"),
            Map.entry("self_attn.v_proj", "attn_v"),
            Map.entry("self_attn.o_proj", "attn_output"),
            Map.entry("self_attn.q_norm", "attn_q_norm"),
            Map.entry("self_attn.k_norm", "attn_k_norm"),
            Map.entry("post_attention_layernorm", "ffn_norm"),
            Map.entry("mlp.gate_proj", "ffn_gate"),
            Map.entry("mlp.up_proj", "ffn_up"),
            Map.entry("mlp.down_proj", "ffn_down"));

    private static final Map<String, String> OUTSIDE = Map.of(
            "model.embed_tokens.weight", "token_embd.weight",
            "model.norm.weight", "output_norm.weight",
            "lm_head.weight", "output.weight");

    private GgufNames() {}

    static String of(String huggingFaceName) {
        Matcher layer = LAYER.matcher(huggingFaceName);
        if (!layer.matches()) {
            return OUTSIDE.get(huggingFaceName);
        }
        return "blk." + layer.group(1) + "." + IN_LAYER.get(layer.group(2)) + "." + layer.group(3);
    }
}
