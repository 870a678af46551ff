package dev.tmax.e2e.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The quickstart's system prompt: without it the model solves nothing and every group is filtered. */
final class SystemPrompt {

    private static final Path FILE = Path.of("../../examples/quickstart/system-prompt.txt");

    private SystemPrompt() {}

    /** The text for a YAML block scalar, each line after this many spaces. */
    static String indented(int spaces) {
        try {
            return Files.readString(FILE).stripTrailing().indent(spaces).stripTrailing();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
