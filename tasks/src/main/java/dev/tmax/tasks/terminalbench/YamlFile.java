package dev.tmax.tasks.terminalbench;

import dev.tmax.tasks.Problem;
import dev.tmax.tasks.reading.Problems;
import dev.tmax.tasks.reading.TextFile;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;

/** Parses a YAML file to nodes that know their line and column. */
final class YamlFile {
    private YamlFile() {}

    /** The node of the whole file; empty where there is no such file or it is no YAML, which is then reported. */
    static Optional<Node> parse(Path folder, String name, Problems problems) {
        Path file = folder.resolve(name);
        if (!Files.isRegularFile(file)) {
            problems.addFile(name, "is missing or not a regular file", "add it, as the format asks for");
            return Optional.empty();
        }
        return TextFile.read(file, name, problems).flatMap(text -> parse(name, text, problems));
    }

    /** The mapping of the whole file. */
    static Optional<YamlSection> mapping(Path folder, String name, Problems problems) {
        return parse(folder, name, problems).flatMap(node -> {
            if (node instanceof MappingNode mapping) {
                return Optional.of(YamlSection.root(mapping, name, problems));
            }
            problems.addFile(name, "is not a mapping", "write it as lines of the form key: value");
            return Optional.empty();
        });
    }

    private static Optional<Node> parse(String name, String text, Problems problems) {
        try {
            Node node = new Yaml(new SafeConstructor(new LoaderOptions())).compose(new StringReader(text));
            if (node == null) {
                problems.addFile(name, "is empty", "write the task's settings there");
            }
            return Optional.ofNullable(node);
        } catch (MarkedYAMLException e) {
            Optional<Mark> mark = Optional.ofNullable(e.getProblemMark());
            problems.add(new Problem(
                    name,
                    mark.map(place -> OptionalInt.of(place.getLine() + 1)).orElse(OptionalInt.empty()),
                    mark.map(place -> OptionalInt.of(place.getColumn() + 1)).orElse(OptionalInt.empty()),
                    Optional.empty(),
                    Optional.empty(),
                    "is not valid YAML: " + e.getProblem(),
                    "correct it there; a text with ': ' or '#' in it is put in quotes or after |-"));
            return Optional.empty();
        } catch (YAMLException e) {
            problems.addFile(name, "is not valid YAML: " + e.getMessage(), "correct it");
            return Optional.empty();
        }
    }
}
