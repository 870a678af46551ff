package dev.tmax.tasks.harbor;

import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads sizes: {@code memory_mb = 2048}, or the older {@code memory = "2G"}. */
final class MemorySize {
    private static final Pattern OLD = Pattern.compile("\\s*([0-9]{1,9}(?:\\.[0-9]{1,6})?)\\s*([GMKgmk])\\s*");

    private MemorySize() {}

    /** In MiB. */
    static OptionalInt read(Section section, String key, String oldKey) {
        if (section.has(key) && section.has(oldKey)) {
            section.report(oldKey, "is given besides " + key, "keep only " + key);
            return OptionalInt.empty();
        }
        if (!section.has(oldKey)) {
            return section.count(key);
        }
        Matcher size = OLD.matcher(section.string(oldKey).orElse(""));
        if (!size.matches()) {
            section.report(oldKey, "is not a size", "write " + key + " = 2048 instead");
            return OptionalInt.empty();
        }
        double mib = Double.parseDouble(size.group(1))
                * switch (size.group(2)) {
                    case "G", "g" -> 1024;
                    case "M", "m" -> 1;
                    default -> 1 / 1024.0;
                };
        if (mib < 1 || mib > Integer.MAX_VALUE) {
            section.report(oldKey, "is out of range", "write " + key + " = 2048 instead");
            return OptionalInt.empty();
        }
        return OptionalInt.of((int) mib);
    }
}
