package dev.tmax.tasks.cli;

import dev.tmax.tasks.statistics.Contamination;
import dev.tmax.tasks.statistics.TaskSetStatistics;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Statistics as plain maps and lists, in the order in which they are to be read. */
final class StatsReport {
    private StatsReport() {}

    static Map<String, Object> of(TaskSetStatistics statistics) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("format", statistics.format());
        report.put("tasks", statistics.tasks());
        report.put("invalid", statistics.invalid());
        report.put("digest", statistics.digest());
        Map<String, Object> axes = new LinkedHashMap<>();
        statistics.axes().forEach((axis, labels) -> {
            Map<String, Object> counted = new LinkedHashMap<>();
            labels.balance().ifPresent(balance -> counted.put("balance", balance));
            counted.put("missing", labels.missing());
            counted.put("counts", labels.counts());
            axes.put(axis, counted);
        });
        report.put("axes", axes);
        report.put("domainsByComplexity", statistics.domainsByComplexity());
        report.put("exactDuplicates", statistics.exactDuplicates());
        report.put("nearDuplicates", nearDuplicates(statistics));
        report.put("withoutSolution", statistics.withoutSolution());
        report.put("testsThatInstall", statistics.testsThatInstall());
        report.put("images", statistics.images());
        statistics.contamination().ifPresent(contamination -> report.put("contamination", contaminated(contamination)));
        return report;
    }

    private static List<Object> nearDuplicates(TaskSetStatistics statistics) {
        List<Object> pairs = new ArrayList<>();
        statistics
                .nearDuplicates()
                .forEach(pair -> pairs.add(
                        Map.of("tasks", List.of(pair.first(), pair.second()), "similarity", pair.similarity())));
        return pairs;
    }

    private static Map<String, Object> contaminated(Contamination contamination) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("reference", contamination.reference());
        report.put("overlapping", contamination.overlapping());
        report.put("notMeasurable", contamination.notMeasurable());
        report.put("worst", contamination.worst());
        return report;
    }
}
