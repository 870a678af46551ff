package dev.tmax.tasks.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tmax.tasks.TaskFormat;
import dev.tmax.tasks.TaskSet;
import dev.tmax.tasks.WrittenTask;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TaskSetStatisticsTest {
    private static final String LONG =
            IntStream.range(0, 40).mapToObj(i -> "word" + i).collect(Collectors.joining(" "));

    @TempDir
    Path root;

    private WrittenTask task(String name) {
        return WrittenTask.in(root.resolve("set").resolve(name));
    }

    private TaskSetStatistics statistics() {
        return TaskSetStatistics.of(TaskSet.load(root.resolve("set"), TaskFormat.AUTO), Optional.empty());
    }

    @Test
    void domainsAreCountedTheLargestFirstAndMissingOnesToo() {
        task("a").withToml("[metadata]\ndomain = \"security\"\n");
        task("b").withToml("[metadata]\ncategory = \"debugging\"\n");
        task("c").withToml("[metadata]\ndomain = \"debugging\"\n");
        task("d");

        LabelCounts domains = statistics().domains();

        assertThat(domains.counts()).containsExactly(Map.entry("debugging", 2), Map.entry("security", 1));
        assertThat(domains.missing()).isEqualTo(1);
    }

    @Test
    void domainsAreCountedByComplexity() {
        task("a").withToml("[metadata]\ndomain = \"security\"\ntask_complexity = \"short\"\n");
        task("b").withToml("[metadata]\ndomain = \"security\"\ntask_complexity = \"moderate\"\n");

        assertThat(statistics().domainsByComplexity()).isEqualTo(Map.of("security", Map.of("short", 1, "moderate", 1)));
    }

    @Test
    void tasksThatDifferOnlyInNameAreExactDuplicates() {
        task("a").with("instruction.md", "Do it.\n").with("environment/x", "1");
        task("b").with("instruction.md", "Do it.\n").with("environment/x", "1");
        task("c").with("instruction.md", "Do it.\n").with("environment/x", "2");

        assertThat(statistics().exactDuplicates()).singleElement().asList().containsExactly("a", "b");
        assertThat(statistics().superfluous()).isEqualTo(1);
    }

    @Test
    void instructionsThatDifferInAWordAreNearDuplicates() {
        task("a").with("instruction.md", LONG);
        task("b").with("instruction.md", LONG.replace("word39", "other"));
        task("c")
                .with(
                        "instruction.md",
                        LONG.replace("word10", "x").replace("word20", "y").replace("word30", "z"));

        // 36 runs of five words each, 35 of them shared: 35 of 37 different ones.
        assertThat(statistics().nearDuplicates()).containsExactly(new NearDuplicate("a", "b", 35.0 / 37));
    }

    @Test
    void overlapIsTheShareOfRunsOfThirteenWordsThatTheReferenceHas() {
        WrittenTask.in(root.resolve("reference/r")).with("instruction.md", LONG);
        task("copied").with("instruction.md", LONG.toUpperCase(java.util.Locale.ROOT));
        task("half").with("instruction.md", LONG.replace("word26", "other"));
        task("clean").with("instruction.md", LONG.replace("word", "clean"));
        task("short").with("instruction.md", "word1 word2 word3");

        Contamination contamination = TaskSetStatistics.of(
                        TaskSet.load(root.resolve("set"), TaskFormat.AUTO),
                        Optional.of(TaskSet.load(root.resolve("reference"), TaskFormat.AUTO)))
                .contamination()
                .orElseThrow();

        assertThat(contamination.overlapping()).isEqualTo(2);
        assertThat(contamination.notMeasurable()).isEqualTo(1);
        assertThat(contamination.worst())
                .containsExactly(new Contamination.Overlap("copied", 1), new Contamination.Overlap("half", 15.0 / 28));
    }

    @Test
    void tasksWithoutSolutionAndThoseWhoseTestsFetchAreNamed() {
        task("offline").with("solution/solve.sh", "#!/bin/bash\n");
        task("online").with("tests/test.sh", "#!/bin/bash\napt-get update && apt-get install -y curl\n");
        task("comment").with("tests/test.sh", "#!/bin/bash\n# no curl here\n");

        assertThat(statistics().withoutSolution()).containsExactly("comment", "online");
        assertThat(statistics().testsThatInstall()).containsExactly("online");
    }

    @Test
    void balanceIsOneWhereAllLabelsAreEquallyFrequent() {
        LabelCounts even = LabelCounts.of(IntStream.range(0, 12)
                .mapToObj(i -> Optional.of("label" + i % 4))
                .toList());
        assertThat(even.balance().orElseThrow()).isCloseTo(1, within(1e-12));
    }

    @Test
    void balanceOfThreeToOneIsAsCalculatedByHand() {
        LabelCounts uneven = LabelCounts.of(IntStream.range(0, 4)
                .mapToObj(i -> Optional.of(i == 0 ? "rare" : "common"))
                .toList());
        // exp(−0.75 ln 0.75 − 0.25 ln 0.25) / 2
        assertThat(uneven.balance().orElseThrow()).isCloseTo(0.877383, within(1e-6));
    }

    @Test
    void thereIsNoBalanceWithoutLabels() {
        task("a");
        assertThat(statistics().domains().balance()).isEmpty();
    }
}
