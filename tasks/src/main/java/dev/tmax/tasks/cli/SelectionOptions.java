package dev.tmax.tasks.cli;

import dev.tmax.tasks.Selection;
import dev.tmax.tasks.Split;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Option;

/** Which of a folder's tasks a command is about; all of them where nothing is said. */
final class SelectionOptions {
    @Option(names = "--domain", paramLabel = "NAME", description = "Only tasks of this domain; may be repeated.")
    private Set<String> domains = Set.of();

    @Option(names = "--difficulty", paramLabel = "NAME", description = "Only of this difficulty; may be repeated.")
    private Set<String> difficulties = Set.of();

    @Option(names = "--language", paramLabel = "NAME", description = "Only of this language; may be repeated.")
    private Set<String> languages = Set.of();

    @Option(names = "--part", paramLabel = "PART", description = "Only one part: TRAIN or HELD_OUT.")
    private Optional<Split.Part> part;

    @Option(
            names = "--held-out-percent",
            paramLabel = "N",
            description = "How many of a hundred tasks are held out (default ${DEFAULT-VALUE}).",
            defaultValue = "10")
    private int heldOutPercent;

    @Option(
            names = "--split-seed",
            paramLabel = "N",
            description = "Another seed, another split (default 0).",
            defaultValue = "0")
    private long seed;

    Selection selection() {
        return new Selection(
                domains, difficulties, languages, part.map(wanted -> new Split(wanted, heldOutPercent, seed)));
    }
}
