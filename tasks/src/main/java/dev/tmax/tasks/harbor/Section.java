package dev.tmax.tasks.harbor;

import dev.tmax.tasks.Problem;
import dev.tmax.tasks.reading.Problems;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;

/**
 * A table of a TOML file, read key by key. A value that does not fit is reported with its place and read as absent, so
 * that one pass finds everything that is wrong.
 */
final class Section {
    private final TomlTable table;
    private final String path;
    private final String file;
    private final Problems problems;
    private final Optional<TomlPosition> place;

    Section(TomlTable table, String path, String file, Problems problems) {
        this(table, path, file, problems, Optional.empty());
    }

    private Section(TomlTable table, String path, String file, Problems problems, Optional<TomlPosition> place) {
        this.table = table;
        this.path = path;
        this.file = file;
        this.problems = problems;
        this.place = place;
    }

    boolean has(String key) {
        return value(key).isPresent();
    }

    /** Adds a problem with the value of a key, or with its absence. */
    void report(String key, String reason, String remedy) {
        Optional<TomlPosition> position =
                Optional.ofNullable(table.inputPositionOf(List.of(key))).or(() -> place);
        problems.add(new Problem(
                file,
                position.map(TomlPosition::line).map(OptionalInt::of).orElse(OptionalInt.empty()),
                position.map(TomlPosition::column).map(OptionalInt::of).orElse(OptionalInt.empty()),
                Optional.of(dotted(key)),
                value(key).map(Section::shown),
                reason,
                remedy));
    }

    Optional<String> string(String key) {
        return value(key).flatMap(value -> {
            if (value instanceof String text) {
                return Optional.of(text);
            }
            report(key, "is not a string", "put it in double quotes");
            return Optional.empty();
        });
    }

    /** A string with something in it. */
    Optional<String> word(String key) {
        return string(key).flatMap(text -> {
            if (!text.isBlank()) {
                return Optional.of(text);
            }
            report(key, "is blank", "give it a value or leave it out");
            return Optional.empty();
        });
    }

    Optional<Boolean> bool(String key) {
        return value(key).flatMap(value -> {
            if (value instanceof Boolean flag) {
                return Optional.of(flag);
            }
            report(key, "is neither true nor false", "write true or false, without quotes");
            return Optional.empty();
        });
    }

    /** A finite number of seconds, 0 among them. */
    Optional<Duration> secondsOrZero(String key) {
        boolean zero = value(key)
                .flatMap(Section::asDouble)
                .filter(number -> number == 0)
                .isPresent();
        return zero ? Optional.of(Duration.ZERO) : seconds(key);
    }

    /** A positive, finite number of seconds. */
    Optional<Duration> seconds(String key) {
        OptionalDouble number = number(key);
        // Ten years: more is a mistake of units, and would overflow in nanoseconds.
        if (number.isPresent() && number.getAsDouble() > 3.2e8) {
            report(key, "is longer than ten years", "write the time in seconds, such as 600");
            return Optional.empty();
        }
        return number.isPresent()
                ? Optional.of(Duration.ofNanos(Math.round(number.getAsDouble() * 1e9)))
                : Optional.empty();
    }

    /** A finite number of any sign. */
    OptionalDouble anyNumber(String key) {
        Optional<Double> number = value(key).flatMap(value -> switch (value) {
            case Long whole -> Optional.of(whole.doubleValue());
            case Double fraction -> Optional.of(fraction).filter(Double::isFinite);
            default -> Optional.empty();
        });
        if (number.isEmpty() && has(key)) {
            report(key, "is not a finite number", "write a number such as 0.5");
        }
        return number.isPresent() ? OptionalDouble.of(number.get()) : OptionalDouble.empty();
    }

    /** A positive, finite number. */
    OptionalDouble number(String key) {
        Optional<Double> number = value(key).flatMap(Section::asDouble);
        if (number.isPresent() && Double.isFinite(number.get()) && number.get() > 0) {
            return OptionalDouble.of(number.get());
        }
        if (has(key)) {
            report(key, "is not a finite number above 0", "write a number such as 2 or 0.5, or leave the key out");
        }
        return OptionalDouble.empty();
    }

    /** A positive integer. */
    OptionalInt count(String key) {
        OptionalDouble number = number(key);
        if (number.isPresent()) {
            double value = number.getAsDouble();
            if (value == Math.rint(value) && value <= Integer.MAX_VALUE) {
                return OptionalInt.of((int) value);
            }
            report(key, "is not a whole number within range", "write a whole number");
        }
        return OptionalInt.empty();
    }

    /** A table whose values are strings. */
    Map<String, String> strings(String key) {
        Map<String, String> strings = new TreeMap<>();
        section(key).ifPresent(section -> {
            for (String name : section.table.keySet()) {
                section.string(name).ifPresent(text -> strings.put(name, text));
            }
        });
        return strings;
    }

    /** A list of strings. */
    Optional<List<String>> list(String key) {
        return value(key).flatMap(value -> {
            if (value instanceof TomlArray array && array.toList().stream().allMatch(String.class::isInstance)) {
                return Optional.of(
                        array.toList().stream().map(String.class::cast).toList());
            }
            report(key, "is not a list of strings", "write it as [\"one\", \"two\"]");
            return Optional.empty();
        });
    }

    Optional<Section> section(String key) {
        return value(key).flatMap(value -> {
            if (value instanceof TomlTable inner) {
                return Optional.of(new Section(inner, dotted(key), file, problems, place));
            }
            report(key, "is not a table", "write it as a table: [" + dotted(key) + "]");
            return Optional.empty();
        });
    }

    /** The section, or one without keys. */
    Section sectionOrEmpty(String key) {
        return section(key).orElseGet(() -> new Section(Toml.parse(""), dotted(key), file, problems, place));
    }

    /** The tables of a list of them: {@code [[key]]}. */
    List<Section> sections(String key) {
        List<Section> sections = new ArrayList<>();
        value(key).ifPresent(value -> {
            if (value instanceof TomlArray array && array.toList().stream().allMatch(TomlTable.class::isInstance)) {
                for (int i = 0; i < array.size(); i++) {
                    sections.add(new Section(
                            array.getTable(i),
                            dotted(key) + "[" + i + "]",
                            file,
                            problems,
                            Optional.of(array.inputPositionOf(i))));
                }
            } else {
                report(key, "is not a list of tables", "write each of them as a table: [[" + dotted(key) + "]]");
            }
        });
        return sections;
    }

    /** An entry of a list that may hold strings and tables. */
    sealed interface Item {
        record Text(String text) implements Item {}

        record Table(Section section) implements Item {}
    }

    /** The strings and tables of a list. */
    List<Item> items(String key) {
        List<Item> items = new ArrayList<>();
        value(key).ifPresent(value -> {
            if (!(value instanceof TomlArray array)) {
                report(key, "is not a list", "write it as [\"one\", \"two\"]");
                return;
            }
            for (int i = 0; i < array.size(); i++) {
                switch (array.get(i)) {
                    case String text -> items.add(new Item.Text(text));
                    case TomlTable inner ->
                        items.add(new Item.Table(new Section(
                                inner,
                                dotted(key) + "[" + i + "]",
                                file,
                                problems,
                                Optional.of(array.inputPositionOf(i)))));
                    default ->
                        report(key, "holds what is neither a string nor a table", "write it as [\"one\", \"two\"]");
                }
            }
        });
        return items;
    }

    boolean isTable(String key) {
        return value(key).filter(TomlTable.class::isInstance).isPresent();
    }

    Set<String> keys() {
        return table.keySet();
    }

    /** The keys whose values are strings, numbers or booleans, as text; the others are left out. */
    Map<String, String> scalars() {
        Map<String, String> scalars = new TreeMap<>();
        for (String key : table.keySet()) {
            Object value = table.get(List.of(key));
            if (value instanceof String || value instanceof Number || value instanceof Boolean) {
                scalars.put(key, value.toString());
            }
        }
        return scalars;
    }

    /** The strings in a list, the other kinds of value left out; empty where there is no list. */
    List<String> words(String key) {
        List<String> words = new ArrayList<>();
        if (value(key).orElse(null) instanceof TomlArray array) {
            for (Object value : array.toList()) {
                if (value instanceof String text) {
                    words.add(text);
                }
            }
        }
        return words;
    }

    /** The number of entries in an array, or 1 for any other value, or 0 where there is none. */
    int entries(String key) {
        return value(key)
                .map(value -> value instanceof TomlArray array ? array.size() : 1)
                .orElse(0);
    }

    private Optional<Object> value(String key) {
        return Optional.ofNullable(table.get(List.of(key)));
    }

    private String dotted(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    private static Optional<Double> asDouble(Object value) {
        return switch (value) {
            case Long whole -> Optional.of(whole.doubleValue());
            case Double number -> Optional.of(number);
            // The format's own loader takes numbers in quotes; tasks that rely on it exist.
            case String text
            when text.matches("[0-9]{1,12}(\\.[0-9]{1,12})?") -> Optional.of(new BigDecimal(text).doubleValue());
            default -> Optional.empty();
        };
    }

    private static String shown(Object value) {
        String text = switch (value) {
            case String string -> '"' + string + '"';
            case TomlTable table -> "{" + String.join(", ", table.keySet()) + "}";
            case TomlArray array ->
                array.toList().stream().map(Section::shown).toList().toString();
            default -> value.toString();
        };
        return text.length() <= 100 ? text : text.substring(0, 99) + "…";
    }
}
