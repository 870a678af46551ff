package dev.tmax.tasks.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each row was tried with git: pattern, path, whether it is a folder, whether git ignores it. */
class IgnoreRulesTest {
    @ParameterizedTest(name = "{0} and {1}")
    @CsvSource({
        "*.log, a.log, false, true",
        "*.log, deep/a.log, false, true",
        "*.log, a.logs, false, false",
        "/a.log, a.log, false, true",
        "/a.log, deep/a.log, false, false",
        "deep/a.log, deep/a.log, false, true",
        "deep/a.log, more/deep/a.log, false, false",
        "build/, build, true, true",
        "build/, build, false, false",
        "build/, deep/build, true, true",
        "**/x, x, false, true",
        "**/x, a/b/x, false, true",
        "a/**, a/b/c, false, true",
        "a/**, a, true, false",
        "a/**/b, a/b, false, true",
        "a/**/b, a/x/y/b, false, true",
        "a/*/b, a/x/y/b, false, false",
        "?.txt, a.txt, false, true",
        "?.txt, ab.txt, false, false",
        "[ab].txt, b.txt, false, true",
        "[!ab].txt, b.txt, false, false",
        "[!ab].txt, c.txt, false, true",
        "[0-9].txt, 7.txt, false, true",
        "\\#x, '#x', false, true",
        "#x, '#x', false, false",
        "\\!x, !x, false, true",
        "a.b, axb, false, false",
        "'x  ', x, false, true",
    })
    void patternsMatchAsInGit(String pattern, String path, boolean isFolder, boolean ignored) {
        assertThat(IgnoreRules.parse(List.of(pattern)).ignores(path, isFolder)).isEqualTo(ignored);
    }

    @ParameterizedTest
    @CsvSource({"a.log, true", "kept.log, false"})
    void theLastRuleThatMatchesDecides(String path, boolean ignored) {
        assertThat(IgnoreRules.parse(List.of("*.log", "!kept.log")).ignores(path, false))
                .isEqualTo(ignored);
    }
}
