package dev.tmax.api.v1alpha1;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CustomResourceDefinitionsTest {

    private static final Path CHECKED_IN = Path.of("src/main/crds");

    /** Run with {@code -Dtmax.crds.write=true} to write the files after a change of the classes. */
    @Test
    void theCheckedInFilesAreWhatTheClassesSay(@TempDir Path scratch) throws IOException {
        Map<String, String> generated = CustomResourceDefinitions.generate(scratch.resolve("generated"));
        if (Boolean.getBoolean("tmax.crds.write")) {
            Files.createDirectories(CHECKED_IN);
            for (var entry : generated.entrySet()) {
                Files.writeString(CHECKED_IN.resolve(entry.getKey()), entry.getValue());
            }
        }

        assertThat(generated).hasSameSizeAs(CustomResourceDefinitions.KINDS);
        try (var files = Files.list(CHECKED_IN)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(generated.keySet());
        }
        for (var entry : generated.entrySet()) {
            assertThat(CHECKED_IN.resolve(entry.getKey()))
                    .as("run with -Dtmax.crds.write=true and commit the result")
                    .hasContent(entry.getValue());
        }
    }

    @Test
    void everyFileIsBelow256Kilobytes() throws IOException {
        try (var files = Files.list(CHECKED_IN)) {
            assertThat(files)
                    .isNotEmpty()
                    .allSatisfy(file ->
                            assertThat(Files.size(file)).as(file.toString()).isLessThan(256 * 1024));
        }
    }
}
