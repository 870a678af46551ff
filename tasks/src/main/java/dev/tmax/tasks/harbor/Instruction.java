package dev.tmax.tasks.harbor;

import dev.tmax.tasks.reading.Problems;
import dev.tmax.tasks.reading.TextFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What the agent is told. */
final class Instruction {
    static final String FILE = "instruction.md";

    private Instruction() {}

    /**
     * Reads an instruction; one that cannot be used is reported.
     *
     * @param name of the file, relative to the folder
     */
    static String read(Path folder, String name, Problems problems) {
        Path file = folder.resolve(name);
        if (!Files.isRegularFile(file)) {
            problems.addFile(name, "is missing or not a regular file", "write there what the agent is asked to do");
            return "";
        }
        Optional<String> instruction = TextFile.read(file, name, problems).map(Instruction::withoutCanary);
        if (instruction.isPresent() && instruction.get().isBlank()) {
            problems.addFile(name, "is empty", "write there what the agent is asked to do");
        }
        return instruction.orElse("");
    }

    /** Leaves out comments at the beginning that mark the text as test data, and the blank lines after them. */
    static String withoutCanary(String text) {
        List<String> lines = text.lines().toList();
        int first = 0;
        while (first < lines.size() && isCanary(lines.get(first))) {
            first++;
        }
        if (first == 0) {
            return text;
        }
        while (first < lines.size() && lines.get(first).isBlank()) {
            first++;
        }
        return String.join("\n", lines.subList(first, lines.size()));
    }

    private static boolean isCanary(String line) {
        String stripped = line.strip().toLowerCase(Locale.ROOT);
        return stripped.contains("canary")
                && (stripped.startsWith("#") || stripped.startsWith("<!--") && stripped.endsWith("-->"));
    }
}
