package dev.tmax.model.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tmax.model.Architecture;
import dev.tmax.model.ModelFolder;
import dev.tmax.model.text.Message;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RandomModelTest {
    @TempDir
    private Path folder;

    @Test
    void isTheSameForASeedAndAnotherForAnother() throws IOException {
        RandomModel.small(1).write(folder.resolve("first"));
        RandomModel.small(1).write(folder.resolve("again"));
        RandomModel.small(2).write(folder.resolve("other"));
        for (String file : List.of("config.json", "tokenizer.json", "tokenizer_config.json", "model.safetensors")) {
            assertThat(Files.mismatch(
                            folder.resolve("first").resolve(file),
                            folder.resolve("again").resolve(file)))
                    .as(file)
                    .isEqualTo(-1);
        }
        assertThat(Files.mismatch(folder.resolve("first/model.safetensors"), folder.resolve("other/model.safetensors")))
                .isNotEqualTo(-1);
    }

    @Test
    void holdsAConversationInItsOwnVocabulary() {
        ModelFolder model = RandomModel.small(1).write(folder);
        assertThat(model.parameters()).isBetween(1_000_000L, 3_000_000L);
        String text = model.chatTemplate().render(List.of(Message.user("Create a file named notes.txt 🙂")), true);
        int[] tokens = model.tokenizer().encode(text);
        assertThat(model.tokenizer().decode(tokens)).isEqualTo(text);
        assertThat(tokens).hasSizeLessThan(text.length() / 2);
        assertThat(Arrays.stream(tokens).max().orElseThrow())
                .isLessThan(model.configuration().vocabulary());
    }

    @Test
    void comesWithTheNormsOfQwen3() {
        ModelFolder model = new RandomModel(Architecture.QWEN3, 64, 2, 4, 128, 300, 256, 1).write(folder);
        assertThat(model.weights().names()).contains("model.layers.1.self_attn.k_norm.weight");
    }

    @Test
    void refusesSizesThatDoNotFit() {
        assertThatThrownBy(() -> new RandomModel(Architecture.LLAMA, 100, 1, 6, 10, 512, 10, 1))
                .hasMessageContaining("hiddenSize and heads: 100, 6");
        assertThatThrownBy(() -> new RandomModel(Architecture.LLAMA, 96, 1, 6, 10, 100, 10, 1))
                .hasMessageContaining("vocabulary: 100");
    }
}
