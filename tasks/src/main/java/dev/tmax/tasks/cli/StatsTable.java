package dev.tmax.tasks.cli;

import dev.tmax.tasks.statistics.TaskSetStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/** Statistics for people. */
final class StatsTable {
    private static final int MOST_ROWS = 20;

    private final StringBuilder text = new StringBuilder();

    private StatsTable() {}

    static String of(TaskSetStatistics statistics) {
        StatsTable table = new StatsTable();
        table.line("%d tasks (%s), %d unusable", statistics.tasks(), statistics.format(), statistics.invalid());
        table.line("digest %s", statistics.digest());
        statistics.axes().forEach((axis, labels) -> {
            table.line("");
            table.line(
                    "%s: %d labels%s%s",
                    axis,
                    labels.counts().size(),
                    labels.balance().isPresent()
                            ? String.format(
                                    Locale.ROOT,
                                    ", balance %.3f",
                                    labels.balance().getAsDouble())
                            : "",
                    labels.missing() > 0 ? ", " + labels.missing() + " tasks without" : "");
            labels.counts().entrySet().stream()
                    .limit(MOST_ROWS)
                    .forEach(entry -> table.line("%8d  %s", entry.getValue(), entry.getKey()));
            if (labels.counts().size() > MOST_ROWS) {
                table.line("          and %d more", labels.counts().size() - MOST_ROWS);
            }
        });
        table.cross(statistics.domainsByComplexity());
        table.line("");
        table.line(
                "exact duplicates: %d groups, %d tasks too many",
                statistics.exactDuplicates().size(), statistics.superfluous());
        statistics.exactDuplicates().stream().limit(MOST_ROWS).forEach(ids -> table.line("          %s", ids));
        table.line("near duplicates: %d pairs", statistics.nearDuplicates().size());
        statistics.nearDuplicates().stream()
                .limit(10)
                .forEach(pair -> table.line("%8.2f  %s, %s", pair.similarity(), pair.first(), pair.second()));
        table.named("without a reference solution", statistics.withoutSolution());
        table.named("with tests that seem to need the network", statistics.testsThatInstall());
        table.line("images:");
        statistics.images().forEach((image, count) -> table.line("%8d  %s", count, image));
        statistics.contamination().ifPresent(contamination -> {
            table.line(
                    "overlap with the reference set: %d tasks; %d are too short to be measured",
                    contamination.overlapping(), contamination.notMeasurable());
            contamination.worst().forEach(worst -> table.line("%7.1f%%  %s", 100 * worst.share(), worst.task()));
        });
        return table.text.toString().stripTrailing();
    }

    private void cross(Map<String, Map<String, Integer>> domainsByComplexity) {
        TreeSet<String> complexities = new TreeSet<>();
        domainsByComplexity.values().forEach(row -> complexities.addAll(row.keySet()));
        if (complexities.isEmpty()) {
            return;
        }
        line("");
        StringBuilder head = new StringBuilder(String.format("%-26s", "domain × complexity"));
        complexities.forEach(complexity -> head.append(String.format("%12s", complexity)));
        line("%s", head);
        domainsByComplexity.forEach((domain, row) -> {
            StringBuilder cells = new StringBuilder(String.format("%-26s", domain));
            complexities.forEach(complexity -> cells.append(String.format("%12d", row.getOrDefault(complexity, 0))));
            line("%s", cells);
        });
    }

    private void named(String what, List<String> ids) {
        line("%s: %d", what, ids.size());
        ids.stream().limit(10).forEach(id -> line("          %s", id));
    }

    private void line(String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
