package dev.tmax.tasks.harbor;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Names of steps: each is the name of a folder on any system, and different from the others also where case is not. */
final class StepNames {
    private static final int MOST_BYTES = 255;
    private static final Pattern REFUSED = Pattern.compile("[/\\\\:*?\"<>|\\p{Cntrl}]|[. ]$");
    private static final Pattern DEVICE =
            Pattern.compile("(CON|PRN|AUX|NUL|(COM|LPT)[0-9])(\\..*)?", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private final Map<String, String> seen = new HashMap<>();

    /** The name of a step; empty where it has none that can be used, which is then reported. */
    Optional<String> read(Section step) {
        if (!step.has("name")) {
            step.report("name", "is missing", "write name = \"…\", the name of its folder in steps/");
            return Optional.empty();
        }
        return step.word("name").filter(name -> isUsable(step, name));
    }

    private boolean isUsable(Section step, String name) {
        if (REFUSED.matcher(name).find()
                || DEVICE.matcher(name).matches()
                || name.getBytes(StandardCharsets.UTF_8).length > MOST_BYTES) {
            step.report(
                    "name",
                    "is no name of a folder on every system",
                    "write at most " + MOST_BYTES + " bytes without any of / \\ : * ? \" < > | and no '.' at its end");
            return false;
        }
        String before =
                seen.putIfAbsent(Normalizer.normalize(name, Normalizer.Form.NFC).toLowerCase(Locale.ROOT), name);
        if (before != null) {
            step.report("name", "is the name of another step, '" + before + "'", "give it a name of its own");
        }
        return before == null;
    }
}
