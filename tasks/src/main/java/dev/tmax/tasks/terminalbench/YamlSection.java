package dev.tmax.tasks.terminalbench;

import dev.tmax.tasks.Problem;
import dev.tmax.tasks.reading.Problems;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * A mapping of a YAML file, read key by key. A value that does not fit is reported with its place and read as absent, so
 * that one pass finds everything that is wrong.
 */
final class YamlSection {
    // Ten years: more is a mistake of units, and would overflow in nanoseconds.
    private static final double MOST_SECONDS = 3.2e8;

    private final Map<String, Node> values = new LinkedHashMap<>();
    private final Mark place;
    private final String path;
    private final String file;
    private final Problems problems;

    private YamlSection(MappingNode mapping, String path, String file, Problems problems) {
        this.place = mapping.getStartMark();
        this.path = path;
        this.file = file;
        this.problems = problems;
        for (NodeTuple tuple : mapping.getValue()) {
            String key = tuple.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "?";
            if (tuple.getKeyNode().getTag().equals(Tag.MERGE) && tuple.getValueNode() instanceof MappingNode merged) {
                new YamlSection(merged, path, file, problems).values.forEach(values::putIfAbsent);
            } else if (values.put(key, tuple.getValueNode()) != null) {
                problems.add(problem(tuple.getKeyNode().getStartMark(), key, "is there twice", "keep one of them"));
            }
        }
    }

    static YamlSection root(MappingNode mapping, String file, Problems problems) {
        return new YamlSection(mapping, "", file, problems);
    }

    Set<String> keys() {
        return values.keySet();
    }

    /** Whether there is such a key with a value that is not null. */
    boolean has(String key) {
        return value(key).isPresent();
    }

    /** Adds a problem with the value of a key, or with its absence. */
    void report(String key, String reason, String remedy) {
        problems.add(problem(value(key).map(Node::getStartMark).orElse(place), key, reason, remedy));
    }

    private Problem problem(Mark position, String key, String reason, String remedy) {
        return new Problem(
                file,
                OptionalInt.of(position.getLine() + 1),
                OptionalInt.of(position.getColumn() + 1),
                Optional.of(dotted(key)),
                value(key).map(YamlSection::shown),
                reason,
                remedy);
    }

    /** A text; numbers and booleans are taken as they are written. */
    Optional<String> text(String key) {
        return value(key).flatMap(node -> {
            if (node instanceof ScalarNode scalar) {
                return Optional.of(scalar.getValue());
            }
            report(key, "is not a text", "write it in one line, or after |-");
            return Optional.empty();
        });
    }

    Optional<Boolean> bool(String key) {
        return value(key).flatMap(node -> {
            if (node.getTag().equals(Tag.BOOL)) {
                return Optional.of(Set.of("true", "yes", "on")
                        .contains(((ScalarNode) node).getValue().toLowerCase(Locale.ROOT)));
            }
            report(key, "is neither true nor false", "write true or false, without quotes");
            return Optional.empty();
        });
    }

    /** A positive, finite number of seconds. */
    Optional<Duration> seconds(String key) {
        return value(key).flatMap(node -> {
            double seconds = node instanceof ScalarNode scalar ? number(scalar.getValue()) : Double.NaN;
            if (seconds > 0 && seconds <= MOST_SECONDS) {
                return Optional.of(Duration.ofNanos(Math.round(seconds * 1e9)));
            }
            report(key, "is not a finite number of seconds above 0", "write a number such as 360");
            return Optional.empty();
        });
    }

    private static double number(String text) {
        return text.matches("[0-9]{1,12}(\\.[0-9]{0,12})?") ? Double.parseDouble(text) : Double.NaN;
    }

    /** The texts in a list; a single text is a list of one. */
    List<String> texts(String key) {
        Optional<Node> node = value(key);
        if (node.isEmpty()) {
            return List.of();
        }
        if (node.get() instanceof ScalarNode scalar) {
            return List.of(scalar.getValue());
        }
        List<String> texts = new ArrayList<>();
        if (node.get() instanceof SequenceNode sequence) {
            for (Node entry : sequence.getValue()) {
                if (entry instanceof ScalarNode scalar) {
                    texts.add(scalar.getValue());
                }
            }
            if (texts.size() == sequence.getValue().size()) {
                return texts;
            }
        }
        report(key, "is not a list of texts", "write each after a dash on a line of its own");
        return List.of();
    }

    boolean isMapping(String key) {
        return value(key).filter(MappingNode.class::isInstance).isPresent();
    }

    Optional<YamlSection> section(String key) {
        return value(key).flatMap(node -> {
            if (node instanceof MappingNode mapping) {
                return Optional.of(new YamlSection(mapping, dotted(key), file, problems));
            }
            report(key, "is not a mapping", "write it as lines of the form key: value");
            return Optional.empty();
        });
    }

    /** The mappings of a list that is a whole file. */
    static List<YamlSection> list(Node node, String file, Problems problems) {
        List<YamlSection> sections = new ArrayList<>();
        if (node instanceof SequenceNode sequence
                && sequence.getValue().stream().allMatch(MappingNode.class::isInstance)) {
            for (int i = 0; i < sequence.getValue().size(); i++) {
                sections.add(new YamlSection((MappingNode) sequence.getValue().get(i), "[" + i + "]", file, problems));
            }
        } else {
            problems.addFile(file, "is not a list of mappings", "write a dash before each of them");
        }
        return sections;
    }

    /** The texts, numbers and booleans, as they are written; the rest is left out. */
    Map<String, String> scalars() {
        Map<String, String> scalars = new TreeMap<>();
        values.forEach((key, node) -> {
            if (node instanceof ScalarNode scalar && !node.getTag().equals(Tag.NULL)) {
                scalars.put(key, scalar.getValue());
            }
        });
        return scalars;
    }

    private Optional<Node> value(String key) {
        return Optional.ofNullable(values.get(key))
                .filter(node -> !node.getTag().equals(Tag.NULL));
    }

    private String dotted(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    private static String shown(Node node) {
        String text = switch (node) {
            case ScalarNode scalar when scalar.getTag().equals(Tag.STR) -> '"' + scalar.getValue() + '"';
            case ScalarNode scalar -> scalar.getValue();
            case MappingNode _ -> "{…}";
            default -> "[…]";
        };
        return text.length() <= 100 ? text : text.substring(0, 99) + "…";
    }
}
