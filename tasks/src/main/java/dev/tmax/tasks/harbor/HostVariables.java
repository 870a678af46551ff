package dev.tmax.tasks.harbor;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Resolves variables whose value is, wholly, <code>${NAME}</code> or <code>${NAME:-default}</code>: it comes from the
 * host, as far as the host lends it.
 */
final class HostVariables {
    private static final Pattern REFERENCE =
            Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?}", Pattern.DOTALL);

    private final Map<String, String> lent;

    HostVariables(Map<String, String> lent) {
        this.lent = lent;
    }

    /** The table {@code env} of a section. */
    Map<String, String> resolve(Section section) {
        Map<String, String> resolved = new TreeMap<>();
        section.strings("env").forEach((name, value) -> {
            Matcher reference = REFERENCE.matcher(value);
            if (!reference.matches()) {
                resolved.put(name, value);
            } else if (lent.containsKey(reference.group(1))) {
                resolved.put(name, lent.get(reference.group(1)));
            } else if (reference.group(2) != null) {
                resolved.put(name, reference.group(2));
            } else {
                section.sectionOrEmpty("env")
                        .report(
                                name,
                                "refers to a variable of the host that is not lent to tasks",
                                "write the value, or a default: ${" + reference.group(1) + ":-value}");
            }
        });
        return resolved;
    }
}
