package dev.tmax.tasks.terminalbench;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** What in the output of {@code run-tests.sh} says whether the task was done; the reading itself is in {@code test.sh}. */
enum Parser {
    /** The short summary of pytest. */
    PYTEST("pytest"),
    /** One word between two marks. */
    SWEBENCH("swebench"),
    /** As {@link #SWEBENCH}, with other marks. */
    SWEPERF("sweperf"),
    /** As {@link #SWEBENCH}, with other marks and another word. */
    MLEBENCH("mlebench"),
    /** A phrase. */
    SWELANCER("swelancer");

    private final String title;

    Parser(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    static Optional<Parser> of(String title) {
        return Arrays.stream(values())
                .filter(parser -> parser.title.equals(title))
                .findAny();
    }

    static String titles() {
        return Arrays.stream(values()).map(Parser::title).collect(Collectors.joining(", "));
    }
}
