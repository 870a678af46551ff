package dev.tmax.generator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tmax.model.ModelConfiguration;
import dev.tmax.model.ModelRequirements;
import dev.tmax.model.Precision;
import dev.tmax.model.decode.DecodeOptions;
import dev.tmax.model.random.RandomModel;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheMemoryTest {
    private static final long GIB = 1L << 30;
    private static final DecodeOptions OPTIONS = new DecodeOptions(4, 128, Precision.BF16, true, 1);

    @TempDir
    private Path folder;

    private ModelConfiguration model() {
        return RandomModel.small(1).write(folder).configuration();
    }

    @Test
    void isWhatHeapWeightsAndTheProcessLeave() {
        ModelConfiguration model = model();
        ModelRequirements needs = ModelRequirements.of(model);
        long weights = 3 * needs.weightBytes() + 2 * (needs.generatingBytes(0, 0) - needs.weightBytes());
        assertThat(CacheMemory.remaining(8 * GIB, GIB / 2, model, OPTIONS))
                .isEqualTo(8 * GIB - GIB / 2 - weights - 3 * GIB / 4);
    }

    @Test
    void isOneSequenceWhereNothingIsLeft() {
        ModelConfiguration model = model();
        assertThat(CacheMemory.remaining(GIB, GIB / 2, model, OPTIONS)).isEqualTo(OPTIONS.sequenceBytes(model));
    }
}
