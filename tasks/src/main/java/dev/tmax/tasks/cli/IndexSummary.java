package dev.tmax.tasks.cli;

import dev.tmax.tasks.LoadedTaskSet;
import dev.tmax.tasks.TaskFormat;
import dev.tmax.tasks.UnreadableTaskSetException;
import dev.tmax.tasks.statistics.Contamination;
import dev.tmax.tasks.statistics.TaskSetStatistics;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the operator is told about a task set, small enough for a container's termination message.
 *
 * @param format what the tasks are written in
 * @param tasks number of usable tasks
 * @param invalid number of others
 * @param firstInvalid at most five of the others; where there is nothing to read, the path and why
 * @param domains number of tasks by domain, the largest 20
 * @param balance exp(H)/N of the domains; absent where no task has one
 * @param duplicates tasks that could be left out because another one is the same
 * @param nearDuplicates pairs of tasks with almost the same instruction
 * @param digest of the usable tasks
 * @param contaminated tasks that overlap with the reference set; absent without one
 * @param notMeasurable tasks too short for that; absent without a reference set
 */
record IndexSummary(
        String format,
        int tasks,
        int invalid,
        List<InvalidTaskReport> firstInvalid,
        Map<String, Integer> domains,
        Optional<Double> balance,
        int duplicates,
        int nearDuplicates,
        String digest,
        Optional<Integer> contaminated,
        Optional<Integer> notMeasurable) {

    static final int MOST_BYTES = 4096;
    private static final int MOST_INVALID = 5;
    private static final int MOST_DOMAINS = 20;

    static IndexSummary of(LoadedTaskSet set, TaskSetStatistics statistics) {
        Map<String, Integer> domains = new LinkedHashMap<>();
        statistics.domains().counts().entrySet().stream()
                .limit(MOST_DOMAINS)
                .forEach(entry -> domains.put(entry.getKey(), entry.getValue()));
        return new IndexSummary(
                statistics.format(),
                statistics.tasks(),
                statistics.invalid(),
                InvalidTaskReport.of(set.invalid().stream().limit(MOST_INVALID).toList()),
                domains,
                statistics.domains().balance().stream().boxed().findFirst(),
                statistics.superfluous(),
                statistics.nearDuplicates().size(),
                statistics.digest(),
                statistics.contamination().map(Contamination::overlapping),
                statistics.contamination().map(Contamination::notMeasurable));
    }

    static IndexSummary unreadable(Path directory, TaskFormat format, UnreadableTaskSetException reason) {
        return new IndexSummary(
                format.title(),
                0,
                0,
                List.of(new InvalidTaskReport(directory.toString(), reason.getMessage())),
                Map.of(),
                Optional.empty(),
                0,
                0,
                "",
                Optional.empty(),
                Optional.empty());
    }

    /** In at most 4096 bytes: reasons and names are cut as far as that needs. */
    String json() {
        for (int longest = 600; longest > 20; longest /= 2) {
            String json = json(longest);
            // One more for the line end.
            if (json.getBytes(StandardCharsets.UTF_8).length < MOST_BYTES) {
                return json;
            }
        }
        throw new IllegalStateException("a summary with short names is longer than " + MOST_BYTES + " bytes");
    }

    private String json(int longest) {
        Map<String, Object> summary = new LinkedHashMap<>();
        summary.put("format", format);
        summary.put("tasks", tasks);
        summary.put("invalid", invalid);
        summary.put(
                "firstInvalid",
                firstInvalid.stream()
                        .map(report ->
                                new InvalidTaskReport(cut(report.task(), longest), cut(report.reason(), longest)))
                        .toList());
        Map<String, Integer> named = new LinkedHashMap<>();
        domains.forEach((domain, count) -> named.merge(cut(domain, longest), count, Integer::sum));
        summary.put("domains", named);
        balance.ifPresent(value -> summary.put("balance", Math.round(value * 1e4) / 1e4));
        summary.put("duplicates", duplicates);
        summary.put("nearDuplicates", nearDuplicates);
        summary.put("digest", digest);
        contaminated.ifPresent(count -> summary.put("contaminated", count));
        notMeasurable.ifPresent(count -> summary.put("notMeasurable", count));
        return Json.of(summary);
    }

    private static String cut(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        // Not between the halves of a surrogate pair.
        int end = Character.isHighSurrogate(text.charAt(longest - 2)) ? longest - 2 : longest - 1;
        return text.substring(0, end) + "…";
    }
}
