package dev.tmax.tasks.reading;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Reads files that have to be UTF-8. */
public final class TextFile {
    private TextFile() {}

    /**
     * The text of a file; empty where it is not UTF-8 or begins with a byte order mark, which is then reported.
     *
     * @param name of the file, for the report
     */
    public static Optional<String> read(Path file, String name, Problems problems) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(Files.readAllBytes(file)))
                    .toString();
            if (text.startsWith("\uFEFF")) {
                problems.addFile(name, "begins with a byte order mark", "save it as UTF-8 without one");
                return Optional.empty();
            }
            return Optional.of(text);
        } catch (CharacterCodingException e) {
            problems.addFile(name, "is not UTF-8", "save it as UTF-8");
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
