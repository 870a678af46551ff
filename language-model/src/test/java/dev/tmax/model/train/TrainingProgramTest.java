package dev.tmax.model.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tmax.model.Precision;
import dev.tmax.model.PublishedConfigurations;
import dev.tmax.model.torch.Program;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TrainingProgramTest {
    @ParameterizedTest
    @EnumSource
    void isCompiledForEveryPublishedModel(PublishedConfigurations published) {
        String source = TrainingProgram.source(
                published.read(), new TrainingOptions(Precision.BF16, true, 1, AdamW.recipe(), 1));
        assertThat(source).doesNotContain("$", "SELF", "FIRST", "ORDINAL", "LAYERS");
        new Program(source).close();
    }
}
