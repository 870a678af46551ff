package dev.tmax.model.decode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tmax.model.Precision;
import dev.tmax.model.PublishedConfigurations;
import dev.tmax.model.torch.Program;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DecodeProgramTest {
    @ParameterizedTest
    @EnumSource
    void isCompiledForEveryPublishedModel(PublishedConfigurations published) {
        String source = DecodeProgram.source(published.read(), new DecodeOptions(1, 64, Precision.BF16, true, 1));
        assertThat(source).doesNotContain("$", "SELF", "FIRST", "ORDINAL", "LAYERS");
        new Program(source).close();
    }
}
