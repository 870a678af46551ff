package dev.tmax.tasks.harbor;

import dev.tmax.tasks.Problem;
import dev.tmax.tasks.reading.Problems;
import dev.tmax.tasks.reading.TextFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import org.tomlj.Toml;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseResult;

/** Parses {@code task.toml}: TOML 1.0 in UTF-8. */
final class TaskToml {
    static final String FILE = "task.toml";

    private TaskToml() {}

    /** The root table; empty where the file is no TOML, which is then reported. */
    static Optional<Section> parse(Path folder, Problems problems) {
        Path file = folder.resolve(FILE);
        if (!Files.isRegularFile(file)) {
            problems.addFile(FILE, "is missing or not a regular file", "write the task's settings there");
            return Optional.empty();
        }
        Optional<String> text = TextFile.read(file, FILE, problems);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        TomlParseResult result = Toml.parse(text.get());
        for (TomlParseError error : result.errors()) {
            problems.add(new Problem(
                    FILE,
                    OptionalInt.of(error.position().line()),
                    OptionalInt.of(error.position().column()),
                    Optional.empty(),
                    Optional.empty(),
                    "is not valid TOML: " + error.getMessage(),
                    "correct it there; backslashes in \"…\" are doubled, or the text is put in '…'"));
        }
        return result.hasErrors() ? Optional.empty() : Optional.of(new Section(result, "", FILE, problems));
    }
}
