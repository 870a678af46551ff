package dev.tmax.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tmax.model.weights.ElementType;
import dev.tmax.model.weights.HuggingFaceExport;
import dev.tmax.model.weights.NamedTensor;
import dev.tmax.model.weights.SafetensorsFiles;
import dev.tmax.model.weights.SafetensorsWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelFolderTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void copyAModel() throws IOException {
        Path original = new Fixture("llama").modelPath();
        try (Stream<Path> files = Files.list(original)) {
            for (Path file : files.toList()) {
                Files.copy(file, folder.resolve(file.getFileName()));
            }
        }
    }

    private void replace(String file, String from, String to) throws IOException {
        String text = Files.readString(folder.resolve(file));
        assertThat(text).contains(from);
        Files.writeString(folder.resolve(file), text.replace(from, to));
    }

    private void assertRefused(String problem) {
        assertThatThrownBy(() -> ModelFolder.open(folder))
                .isInstanceOf(ModelFormatException.class)
                .hasMessageContaining(problem);
    }

    @Test
    void readsTheSizesOfItsConfiguration() {
        ModelFolder model = ModelFolder.open(folder);
        ModelConfiguration c = model.configuration();
        assertThat(c.architecture()).isEqualTo(Architecture.LLAMA);
        assertThat(List.of(c.hiddenSize(), c.layers(), c.heads(), c.keyValueHeads(), c.headSize(), c.vocabulary()))
                .containsExactly(48, 2, 6, 2, 8, 320);
        assertThat(c.tied()).isTrue();
        assertThat(model.parameters()).isEqualTo(model.weights().totalBytes() / 2);
    }

    @Test
    void namesAMissingFile() throws IOException {
        Files.delete(folder.resolve("tokenizer.json"));
        assertRefused("tokenizer.json: missing; copy it");
        Files.delete(folder.resolve("config.json"));
        assertRefused("config.json: missing; copy it");
    }

    @Test
    void namesAMissingWeightsFileAndFolder() throws IOException {
        Files.delete(folder.resolve("model.safetensors"));
        assertRefused("no model.safetensors and no model.safetensors.index.json");
        assertThatThrownBy(() -> ModelFolder.open(folder.resolve("nowhere"))).hasMessageContaining("no such folder");
    }

    @Test
    void listsWhatItSupportsWhenAnArchitectureIsNot() throws IOException {
        replace("config.json", "LlamaForCausalLM", "MambaForCausalLM");
        assertRefused(
                "[\"MambaForCausalLM\"] is not supported; supported are LlamaForCausalLM, Qwen2ForCausalLM, Qwen3");
    }

    @Test
    void refusesOptionsItWouldComputeWrongly() throws IOException {
        replace("config.json", "\"attention_bias\": false", "\"attention_bias\": true");
        assertRefused("attention_bias: true is not supported; supported is false");
        replace("config.json", "\"attention_bias\": true", "\"attention_bias\": false");
        replace("config.json", "\"rope_scaling\": null", "\"rope_scaling\": {\"rope_type\": \"longrope\"}");
        assertRefused(
                "rope_scaling.rope_type: \"longrope\" is not supported; supported are default, linear, dynamic, llama3, yarn");
    }

    @Test
    void namesAKeyWithAValueThatCannotBe() throws IOException {
        replace("config.json", "\"num_hidden_layers\": 2", "\"num_hidden_layers\": \"two\"");
        assertRefused("num_hidden_layers: \"two\"; expected a positive whole number");
        replace("config.json", "{", "");
        assertRefused("config.json: not JSON");
    }

    @Test
    void namesATruncatedWeightsFile() throws IOException {
        Path weights = folder.resolve("model.safetensors");
        byte[] bytes = Files.readAllBytes(weights);
        Files.write(weights, Arrays.copyOf(bytes, bytes.length / 2), StandardOpenOption.TRUNCATE_EXISTING);
        assertRefused("truncated; copy or download it again");
    }

    @Test
    void namesATensorOfAnotherShapeMissingOrForeign() throws IOException {
        replace("config.json", "\"intermediate_size\": 112", "\"intermediate_size\": 114");
        assertRefused("tensor model.layers.0.mlp.gate_proj.weight: shape [112, 48], expected [114, 48] by config.json");
        replace("config.json", "\"intermediate_size\": 114", "\"intermediate_size\": 112");
        replace("config.json", "\"num_hidden_layers\": 2", "\"num_hidden_layers\": 3");
        assertRefused("tensor model.layers.2.input_layernorm.weight: missing; expected shape [48]");
        replace("config.json", "\"num_hidden_layers\": 3", "\"num_hidden_layers\": 1");
        assertRefused("not part of LlamaForCausalLM (9 such tensors)");
    }

    @Test
    void takesAHeadThatATiedModelCarriesASecondTime() {
        Path weights = folder.resolve("model.safetensors");
        SafetensorsFiles file = SafetensorsFiles.file(weights);
        List<NamedTensor> tensors =
                new ArrayList<>(file.names().stream().map(file::tensor).toList());
        NamedTensor embedding = file.tensor(ParameterLayout.EMBEDDING);
        tensors.add(new NamedTensor(ParameterLayout.HEAD, embedding.type(), embedding.shape(), embedding.data()));
        Path copy = folder.resolve("copy.safetensors");
        SafetensorsWriter.write(copy, tensors, Map.of());
        assertThat(copy.toFile().renameTo(weights.toFile())).isTrue();
        assertThat(ModelFolder.open(folder).layout().parameters())
                .noneMatch(parameter -> parameter.name().equals(ParameterLayout.HEAD));
    }

    @Test
    void loadsTheTextPartOfAMultiModalModelAndSaysWhatItLeft() throws IOException {
        ModelFolder model = new Fixture("qwen3_5_vision").model();
        assertThat(model.configuration().architecture()).isEqualTo(Architecture.QWEN3_5);
        assertThat(model.configuration().layerTypes()).containsExactly(LayerType.DELTA_NET, LayerType.ATTENTION);
        assertThat(model.weights().names()).allMatch(name -> name.startsWith("model."));
        assertThat(model.weights().names()).contains("model.layers.0.linear_attn.A_log");
        assertThat(model.leftOut()).containsOnlyKeys("model.visual.*");
        HuggingFaceExport.write(model.path(), model.weights(), folder.resolve("text"));
        ModelFolder text = ModelFolder.open(folder.resolve("text"));
        assertThat(text.configuration()).isEqualTo(model.configuration());
        assertThat(text.leftOut()).isEmpty();
    }

    @Test
    void refusesHybridOptionsItWouldComputeWrongly() throws IOException {
        for (String file : List.of("config.json", "model.safetensors")) {
            Files.copy(
                    new Fixture("qwen3_5").modelPath().resolve(file),
                    folder.resolve(file),
                    StandardCopyOption.REPLACE_EXISTING);
        }
        ModelFolder.open(folder);
        replace("config.json", "\"full_attention\"", "\"sliding_attention\"");
        assertRefused("layer_types: \"sliding_attention\" is not supported; supported are full_attention, linear");
        replace("config.json", "\"sliding_attention\"", "\"full_attention\"");
        replace("config.json", "\"linear_num_key_heads\": 2", "\"linear_num_key_heads\": 3");
        assertRefused("linear_num_key_heads: 3; expected a divisor of linear_num_value_heads (4)");
        replace("config.json", "\"linear_num_key_heads\": 3", "\"linear_num_key_heads\": 2");
        replace("config.json", "\"partial_rotary_factor\": 0.5", "\"partial_rotary_factor\": 0.07");
        assertRefused("head_dim and partial_rotary_factor: 16, 0.07; expected that they give an even number");
    }

    @Test
    void namesATensorOfATypeThatIsNoWeights() {
        Path weights = folder.resolve("model.safetensors");
        SafetensorsFiles file = SafetensorsFiles.file(weights);
        List<NamedTensor> tensors = file.names().stream()
                .map(file::tensor)
                .map(tensor -> tensor.name().equals("model.norm.weight")
                        ? new NamedTensor(tensor.name(), ElementType.I16, tensor.shape(), tensor.data())
                        : tensor)
                .toList();
        Path copy = folder.resolve("copy.safetensors");
        SafetensorsWriter.write(copy, tensors, Map.of());
        assertThat(copy.toFile().renameTo(weights.toFile())).isTrue();
        assertRefused("tensor model.norm.weight: type I16, expected one of");
    }
}
