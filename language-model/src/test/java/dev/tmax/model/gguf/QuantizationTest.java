package dev.tmax.model.gguf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tmax.model.Fixture;
import dev.tmax.model.weights.SafetensorsFiles;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QuantizationTest {
    private static final Path FOLDER = Fixture.folder().resolve("gguf-blocks");

    @ParameterizedTest
    @ValueSource(strings = {"Q4_K", "Q5_K", "Q6_K"})
    void decodesBlocksOf256AsTheGgufPackageDoes(String name) {
        GgufFile.Tensor tensor = GgufFile.open(FOLDER.resolve("blocks.gguf")).tensor(name);
        float[] values = tensor.quantization().decode(tensor.data(), tensor.elements());
        float[] expected = SafetensorsFiles.file(FOLDER.resolve("expected.safetensors"))
                .tensor(name)
                .data()
                .toArray(ValueLayout.JAVA_FLOAT_UNALIGNED);
        assertThat(tensor.shape()).containsExactly(3L, 512L);
        assertThat(values).isEqualTo(expected);
    }
}
