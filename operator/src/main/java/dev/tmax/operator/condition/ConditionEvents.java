package dev.tmax.operator.condition;

import dev.tmax.operator.Hash;
import dev.tmax.operator.Labels;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns changes of conditions into Events, one per change of status or reason. */
public final class ConditionEvents {

    private static final Logger LOG = LoggerFactory.getLogger(ConditionEvents.class);
    private static final int LONGEST_MESSAGE = 1024;
    private static final int NAME_HASH = 16;

    /** Reasons of a False condition that are the ordinary course of things. */
    private static final Set<String> ORDINARY = Set.of(
            "Starting",
            "Waiting",
            "Loading",
            "Warming",
            "NoDemand",
            "NotSuspended",
            "AsExpected",
            "NotComplete",
            "NotFailed",
            "Suspended",
            "Suspending",
            "Succeeded",
            "Finished",
            "Indexing",
            "Draining",
            "Resumed",
            "Scaling",
            "TaskSetNotReady",
            "CheckpointNotComplete",
            "Requested");

    private final KubernetesClient client;
    private final Clock clock;

    public ConditionEvents(KubernetesClient client, Clock clock) {
        this.client = client;
        this.clock = clock;
    }

    /** Writes an Event for each condition that changed. Failing to is logged, never thrown: the status is the truth. */
    public void emit(HasMetadata about, List<Condition> before, List<Condition> after) {
        for (Condition condition : after) {
            boolean known = before != null
                    && before.stream()
                            .anyMatch(old -> old.getType().equals(condition.getType())
                                    && old.getStatus().equals(condition.getStatus())
                                    && String.valueOf(old.getReason()).equals(condition.getReason()));
            if (!known && !ORDINARY.contains(condition.getReason())) {
                emit(about, condition);
            }
        }
    }

    private void emit(HasMetadata about, Condition condition) {
        String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
        boolean bad = switch (condition.getType()) {
            case "Failed", "Degraded" -> true;
            default -> !Conditions.TRUE.equals(condition.getStatus());
        };
        Event event = new EventBuilder()
                .withNewMetadata()
                // By what it says, so that one that was written and whose answer was lost is not written again.
                .withName(shortened(about.getMetadata().getName()) + "."
                        + Hash.of(
                                about.getMetadata().getUid()
                                        + condition.getType()
                                        + condition.getStatus()
                                        + condition.getReason()
                                        + now,
                                NAME_HASH))
                .withNamespace(about.getMetadata().getNamespace())
                .endMetadata()
                .withType(bad ? "Warning" : "Normal")
                .withReason(condition.getReason())
                .withMessage(text(condition))
                .withFirstTimestamp(now)
                .withLastTimestamp(now)
                .withCount(1)
                .withNewSource()
                .withComponent(Labels.FIELD_MANAGER)
                .endSource()
                .withInvolvedObject(new ObjectReferenceBuilder()
                        .withApiVersion(about.getApiVersion())
                        .withKind(about.getKind())
                        .withName(about.getMetadata().getName())
                        .withNamespace(about.getMetadata().getNamespace())
                        .withUid(about.getMetadata().getUid())
                        .build())
                .build();
        try {
            client.resource(event).create();
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                return;
            }
            LOG.warn(
                    "event of {} {} not written: {}",
                    about.getKind(),
                    about.getMetadata().getName(),
                    e.getMessage());
        }
    }

    private static String text(Condition condition) {
        String message = condition.getType() + ": " + condition.getMessage();
        return message.length() <= LONGEST_MESSAGE ? message : message.substring(0, LONGEST_MESSAGE);
    }

    private static String shortened(String name) {
        return name.length() <= 200 ? name : name.substring(0, 200);
    }
}
