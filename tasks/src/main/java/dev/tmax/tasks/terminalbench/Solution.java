package dev.tmax.tasks.terminalbench;

import dev.tmax.tasks.reading.Problems;
import dev.tmax.tasks.reading.Scripts;
import dev.tmax.tasks.reading.TextFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.yaml.snakeyaml.nodes.Node;

/**
 * The reference solution: {@code solution.sh}, or else the commands of {@code solution.yaml}, which the format's own oracle
 * types into one shell and which are run here as one script.
 */
final class Solution {
    static final String SCRIPT = "solution.sh";
    static final String COMMANDS = "solution.yaml";

    private Solution() {}

    /** The text of the script; empty where the task has none. What cannot be mapped is reported. */
    static Optional<String> read(Path folder, Problems problems) {
        if (Files.isRegularFile(folder.resolve(SCRIPT))) {
            new Scripts(folder, problems).checkInterpreted(SCRIPT);
            return TextFile.read(folder.resolve(SCRIPT), SCRIPT, problems);
        }
        if (!Files.exists(folder.resolve(COMMANDS))) {
            return Optional.empty();
        }
        return YamlFile.parse(folder, COMMANDS, problems).map(node -> script(node, problems));
    }

    private static String script(Node node, Problems problems) {
        StringBuilder script = new StringBuilder("#!/bin/bash\n");
        for (YamlSection command : YamlSection.list(node, COMMANDS, problems)) {
            if (!command.has("command")) {
                command.report("command", "is missing", "write the command, or take the entry out");
            }
            if (!command.bool("append_enter").orElse(true)) {
                command.report(
                        "append_enter",
                        "keys that are typed into a running program cannot be mapped",
                        "write the solution as solution.sh, or remove solution.yaml: the task can be used without one");
            }
            command.bool("block");
            if (!command.scalars().getOrDefault("max_timeout_sec", "0").matches("0+(\\.0*)?")) {
                command.seconds("max_timeout_sec");
            }
            script.append(command.text("command").orElse("").stripTrailing()).append('\n');
            // Typed commands wait for each other anyway; this one is also given time for what it left in the
            // background.
            if (!command.scalars().getOrDefault("min_timeout_sec", "0").matches("0+(\\.0*)?")) {
                command.seconds("min_timeout_sec").ifPresent(least -> script.append(pause(least)));
            }
        }
        return script.toString();
    }

    private static String pause(Duration least) {
        return String.format(Locale.ROOT, "sleep %.3f%n", least.toMillis() / 1000.0);
    }
}
