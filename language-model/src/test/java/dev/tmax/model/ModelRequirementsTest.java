package dev.tmax.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tmax.model.program.FusedLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ModelRequirementsTest {
    @ParameterizedTest
    @EnumSource
    void countsTheParametersOfPublishedModels(PublishedConfigurations published) {
        assertThat(ModelRequirements.of(published.read()).parameters()).isEqualTo(published.parameters());
    }

    @ParameterizedTest
    @EnumSource
    void fusesEveryTensorIntoOnePartWithoutGaps(PublishedConfigurations published) {
        ModelConfiguration model = published.read();
        ParameterLayout layout = ParameterLayout.of(model);
        FusedLayout fused = new FusedLayout(model, layout);
        long next = fused.embedding().elements();
        for (FusedLayout.Part part : fused.parts()) {
            assertThat(part.offset()).isEqualTo(next);
            if (part.isMatrix()) {
                assertThat(part.rows() * part.columns()).isEqualTo(part.elements());
            }
            next += part.elements();
        }
        assertThat(model.tied() ? next : next + fused.head().elements()).isEqualTo(layout.elements());
    }

    @Test
    void countsWhatASequenceOfAHybridKeeps() {
        ModelRequirements needs = ModelRequirements.of(PublishedConfigurations.QWEN3_5_2B.read());
        // 6 attention layers of 2 · 2 heads of 256 in bfloat16; 18 delta nets of 16 matrices of 128 · 128 in float32
        // and
        // windows of 3 · 6,144 in bfloat16.
        long keysAndValues = 1000L * 6 * 2 * 2 * 256 * 2;
        long states = 18L * (16 * 128 * 128 * 4 + 3 * 6144 * 2);
        assertThat(needs.sequenceBytes(1000)).isEqualTo(keysAndValues + states);
        assertThat(needs.generatingBytes(3, 1000) - needs.generatingBytes(2, 1000))
                .isEqualTo(keysAndValues + states);
    }

    @Test
    void needs18BytesAParameterAndAFloatHeadToTrain() {
        ModelRequirements needs = ModelRequirements.of(PublishedConfigurations.QWEN3_0_6B.read());
        assertThat(needs.trainingBytes()).isEqualTo(18 * 596_049_920L + 4L * 151_936 * 1024);
        double once = needs.activationBytes(1000);
        assertThat(needs.activationBytes(2000) / once).isCloseTo(2, within(0.1));
    }
}
