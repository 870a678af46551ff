package dev.tmax.operator.condition;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The conditions of one object while its status is being made. Starts with those it had; a condition keeps its transition
 * time for as long as its status stays the same.
 */
public final class Conditions {

    public static final String TRUE = "True";
    public static final String FALSE = "False";
    public static final String UNKNOWN = "Unknown";

    private static final int LONGEST_MESSAGE = 2048;

    private final Clock clock;
    private final Long generation;
    private final Map<String, Condition> byType = new LinkedHashMap<>();

    public Conditions(List<Condition> previous, Long generation, Clock clock) {
        this.clock = clock;
        this.generation = generation;
        if (previous != null) {
            previous.forEach(condition -> byType.put(condition.getType(), condition));
        }
    }

    public void set(String type, boolean status, String reason, String message) {
        set(type, status ? TRUE : FALSE, reason, message);
    }

    public void set(String type, String status, String reason, String message) {
        Condition previous = byType.get(type);
        boolean same = previous != null && previous.getStatus().equals(status);
        byType.put(
                type,
                new ConditionBuilder()
                        .withType(type)
                        .withStatus(status)
                        .withReason(reason)
                        .withMessage(cut(message))
                        .withObservedGeneration(generation)
                        .withLastTransitionTime(
                                same
                                        ? previous.getLastTransitionTime()
                                        : clock.instant()
                                                .truncatedTo(ChronoUnit.SECONDS)
                                                .toString())
                        .build());
    }

    public boolean isTrue(String type) {
        return get(type).map(condition -> TRUE.equals(condition.getStatus())).orElse(false);
    }

    public Optional<Condition> get(String type) {
        return Optional.ofNullable(byType.get(type));
    }

    /** When the condition took its present status. */
    public Optional<Instant> since(String type) {
        return get(type).map(Condition::getLastTransitionTime).map(Instant::parse);
    }

    public List<Condition> list() {
        return new ArrayList<>(byType.values());
    }

    private static String cut(String message) {
        return message == null || message.length() <= LONGEST_MESSAGE
                ? message
                : message.substring(0, LONGEST_MESSAGE - 1) + "…";
    }
}
