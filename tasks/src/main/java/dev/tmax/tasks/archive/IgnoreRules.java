package dev.tmax.tasks.archive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** What a folder leaves out when it is sent: the file {@code .harborignore} in it, with the rules of gitignore. */
public final class IgnoreRules {
    /** The name of the file. */
    public static final String FILE = ".harborignore";

    private final List<Rule> rules;

    /** One line: what it matches, and whether it takes things out or, after {@code !}, back in. */
    private record Rule(Pattern path, boolean onlyFolders, boolean ignores) {}

    private IgnoreRules(List<Rule> rules) {
        this.rules = rules;
    }

    /** The rules of a folder; none where it has no such file. */
    public static IgnoreRules of(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        return parse(Files.isRegularFile(file) ? Files.readAllLines(file) : List.of());
    }

    static IgnoreRules parse(List<String> lines) {
        List<Rule> rules = new ArrayList<>();
        for (String line : lines) {
            String pattern = withoutTrailingSpaces(line);
            if (pattern.isEmpty() || pattern.startsWith("#")) {
                continue;
            }
            boolean ignores = !pattern.startsWith("!");
            pattern = ignores ? pattern : pattern.substring(1);
            boolean onlyFolders = pattern.endsWith("/");
            pattern = onlyFolders ? pattern.substring(0, pattern.length() - 1) : pattern;
            if (!pattern.isEmpty()) {
                rules.add(new Rule(Pattern.compile(expression(pattern)), onlyFolders, ignores));
            }
        }
        return new IgnoreRules(rules);
    }

    /**
     * Whether something is left out. What lies in a folder that is left out is so too, and is not asked about.
     *
     * @param path relative to the folder of the rules, with {@code /} between names
     */
    public boolean ignores(String path, boolean isFolder) {
        boolean ignored = path.equals(FILE);
        for (Rule rule : rules) {
            if ((isFolder || !rule.onlyFolders()) && rule.path().matcher(path).matches()) {
                ignored = rule.ignores();
            }
        }
        return ignored;
    }

    private static String withoutTrailingSpaces(String line) {
        int end = line.length();
        while (end > 0 && line.charAt(end - 1) == ' ' && !(end > 1 && line.charAt(end - 2) == '\\')) {
            end--;
        }
        return line.substring(0, end);
    }

    /** As a regular expression for whole paths. A pattern with a slash before its end is about the path from the top. */
    private static String expression(String pattern) {
        boolean fromTop = pattern.contains("/");
        StringBuilder expression = new StringBuilder(fromTop ? "" : "(?:.*/)?");
        int at = pattern.startsWith("/") ? 1 : 0;
        while (at < pattern.length()) {
            char c = pattern.charAt(at);
            if (pattern.startsWith("**/", at) && (at == 0 || pattern.charAt(at - 1) == '/')) {
                expression.append("(?:.*/)?");
                at += 3;
            } else if (pattern.startsWith("/**", at) && at + 3 == pattern.length()) {
                expression.append("/.+");
                at += 3;
            } else if (c == '*') {
                expression.append("[^/]*");
                at++;
            } else if (c == '?') {
                expression.append("[^/]");
                at++;
            } else if (c == '[' && pattern.indexOf(']', at + 2) > 0) {
                int end = pattern.indexOf(']', at + 2);
                expression.append(characters(pattern.substring(at + 1, end)));
                at = end + 1;
            } else {
                at += c == '\\' && at + 1 < pattern.length() ? 1 : 0;
                expression.append(Pattern.quote(pattern.substring(at, at + 1)));
                at++;
            }
        }
        return expression.toString();
    }

    private static String characters(String listed) {
        boolean others = listed.startsWith("!") || listed.startsWith("^");
        String escaped = listed.substring(others ? 1 : 0)
                .replace("\\", "\\\\")
                .replace("[", "\\[")
                .replace("]", "\\]")
                .replace("&", "\\&")
                .replace("^", "\\^");
        return "[" + (others ? "^/" : "") + escaped + "]";
    }
}
