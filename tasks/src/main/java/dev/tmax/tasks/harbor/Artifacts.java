package dev.tmax.tasks.harbor;

import dev.tmax.tasks.Artifact;
import dev.tmax.tasks.harbor.Section.Item;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Reads the list {@code artifacts} of a task or a step. */
final class Artifacts {
    private Artifacts() {}

    static List<Artifact> read(Section owner) {
        List<Artifact> artifacts = new ArrayList<>();
        for (Item item : owner.items("artifacts")) {
            switch (item) {
                case Item.Text path -> {
                    checkInside(owner, "artifacts", path.text());
                    artifacts.add(new Artifact(path.text(), List.of()));
                }
                case Item.Table table -> artifact(table.section()).ifPresent(artifacts::add);
            }
        }
        return artifacts;
    }

    private static Optional<Artifact> artifact(Section section) {
        Optional<String> source = section.word("source");
        if (!section.has("source")) {
            section.report("source", "is missing", "write the path in the sandbox");
        }
        source.ifPresent(path -> checkInside(section, "source", path));
        section.string("destination").ifPresent(path -> {
            checkInside(section, "destination", path);
            if (path.startsWith("/") || path.contains("\\") || path.equals("manifest.json")) {
                section.report(
                        "destination",
                        "is no relative path of its own",
                        "write a path such as \"logs/out.txt\", other than manifest.json");
            }
        });
        Unsupported.service(section);
        List<String> exclude = section.list("exclude").orElse(List.of());
        return source.map(path -> new Artifact(path, exclude));
    }

    private static void checkInside(Section section, String key, String path) {
        if (Arrays.asList(path.split("/", -1)).contains("..")) {
            section.report(key, "'" + path + "' leads out by '..'", "write the path without '..'");
        }
    }
}
