package dev.tmax.model.gguf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tmax.model.Fixture;
import dev.tmax.model.ModelFolder;
import dev.tmax.model.ModelFormatException;
import dev.tmax.model.weights.SafetensorsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GgufImportTest {
    private static final Path FILE = Fixture.folder().resolve("gguf/model.gguf");

    @TempDir
    private Path folder;

    @Test
    void decodesEveryQuantisationAsTheGgufPackageDoes() {
        ModelFolder model = GgufImport.convert(FILE, folder.resolve("model"));
        SafetensorsFiles expected = SafetensorsFiles.file(Fixture.folder().resolve("gguf/expected.safetensors"));
        assertThat(model.weights().names()).containsExactlyInAnyOrderElementsOf(expected.names());
        for (String name : expected.names()) {
            assertThat(model.weights()
                            .tensor(name)
                            .data()
                            .mismatch(expected.tensor(name).data()))
                    .as(name)
                    .isEqualTo(-1);
        }
        assertThat(model.configuration().normEpsilon()).isEqualTo(1e-5);
        assertThat(model.configuration().tied()).isTrue();
    }

    @Test
    void makesTheTokenizerAndTheChatTemplateOfTheOriginal() {
        ModelFolder original = new Fixture("llama").model();
        ModelFolder model = GgufImport.convert(FILE, folder.resolve("model"));
        String text = "<|im_start|>user\nSort 1234 names, naïve 🙂\n```bash\nls\n```<|im_end|>";
        assertThat(model.tokenizer().encode(text))
                .isEqualTo(original.tokenizer().encode(text));
        assertThat(model.tokenizer().endOfSequence()).containsExactly(2);
        assertThat(model.chatTemplate().continuation("x"))
                .isEqualTo(original.chatTemplate().continuation("x"));
    }

    @Test
    void refusesATruncatedFileAndAnotherFormat() throws IOException {
        byte[] bytes = Files.readAllBytes(FILE);
        Path cut = Files.write(folder.resolve("cut.gguf"), Arrays.copyOf(bytes, bytes.length - 100));
        assertThatThrownBy(() -> GgufImport.convert(cut, folder.resolve("model")))
                .isInstanceOf(ModelFormatException.class)
                .hasMessageContaining("truncated");
        Path header = Files.write(folder.resolve("header.gguf"), Arrays.copyOf(bytes, 300));
        assertThatThrownBy(() -> GgufImport.convert(header, folder.resolve("model")))
                .isInstanceOf(ModelFormatException.class)
                .hasMessageContaining("truncated");
        Path other = Files.writeString(folder.resolve("other.gguf"), "no model at all");
        assertThatThrownBy(() -> GgufImport.convert(other, folder.resolve("model")))
                .isInstanceOf(ModelFormatException.class)
                .hasMessageContaining("does not begin with GGUF");
        assertThat(folder.resolve("model")).doesNotExist();
    }
}
