package dev.tmax.tasks.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Removes folders that a command made for itself. */
final class Folders {
    private Folders() {}

    static void delete(Path folder) throws IOException {
        List<Path> content;
        try (Stream<Path> walked = Files.walk(folder)) {
            content = walked.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : content) {
            Files.deleteIfExists(path);
        }
    }
}
