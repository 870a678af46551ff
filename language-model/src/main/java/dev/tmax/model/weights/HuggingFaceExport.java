package dev.tmax.model.weights;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tmax.model.TextModel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;

/** Writes a model folder that transformers and {@link dev.tmax.model.ModelFolder} read. */
public final class HuggingFaceExport {
    /** What may stand beside the weights and does not depend on them. */
    private static final List<String> COPIED = List.of(
            "generation_config.json",
            "tokenizer.json",
            "tokenizer_config.json",
            "special_tokens_map.json",
            "added_tokens.json",
            "chat_template.jinja",
            "vocab.json",
            "merges.txt",
            "LICENSE",
            "README.md");

    private HuggingFaceExport() {}

    /**
     * Writes weights with another folder's configuration (of the text part), tokenizer and chat template.
     *
     * @param source folder to copy those from
     * @param weights all of the model's tensors, in bfloat16
     * @param target made if it does not exist
     */
    public static void write(Path source, WeightSource weights, Path target) {
        try {
            Files.createDirectories(target);
            for (String name : COPIED) {
                if (Files.isRegularFile(source.resolve(name))) {
                    Files.copy(source.resolve(name), target.resolve(name), StandardCopyOption.REPLACE_EXISTING);
                }
            }
            ObjectMapper mapper = new ObjectMapper();
            ObjectNode config = (ObjectNode)
                    TextModel.configuration(mapper.readTree(Files.readString(source.resolve("config.json"))));
            config.remove("dtype");
            config.put("torch_dtype", "bfloat16");
            Files.writeString(
                    target.resolve("config.json"),
                    mapper.writerWithDefaultPrettyPrinter().writeValueAsString(config) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        SafetensorsWriter.write(
                target.resolve("model.safetensors"),
                weights.names().stream().map(weights::tensor).toList(),
                Map.of("format", "pt"));
    }
}
