package dev.tmax.operator.run.step;

import dev.tmax.api.v1alpha1.TrainingRunStatus.Attempt;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Writes down each start and end of the trainer's container, and fails the run after too many crashes without progress.
 * A pod that was evicted, preempted, drained from its node or deleted has not crashed.
 */
public final class RecordAttempts implements Step {

    private static final int KEPT = 10;
    private static final String DELETED = "Deleted";

    @Override
    public Progress reconcile(Visit visit) {
        if (visit.finished()) {
            return Progress.next();
        }
        StatusDraft status = visit.status();
        Optional<Pod> pod = visit.seen().trainerPod();
        visit.seen().departedTrainer().ifPresent(departed -> closeEnded(status, departed));
        pod.ifPresent(present -> closeEnded(status, present));
        Optional<ContainerStatus> container = pod.flatMap(RecordAttempts::container);
        String running = container
                .map(ContainerStatus::getState)
                .map(ContainerState::getRunning)
                .map(state -> state.getStartedAt())
                .orElse(null);
        closeLost(visit, status, running);
        if (running != null && find(status.attempts, running) < 0) {
            add(status, new Attempt(running, null, null));
        }
        if (status.startTime == null && running != null) {
            status.startTime = running;
        }
        int limit = Math.max(1, visit.run().getSpec().backoffLimit());
        if (status.failures >= limit) {
            status.fail(
                    "BackoffLimitExceeded",
                    "the trainer ended " + status.failures + " times without progress, the last time with "
                            + lastReason(status.attempts)
                            + "; look at its log, mend the cause and make a new TrainingRun (backoffLimit is " + limit
                            + ")",
                    visit.now());
        }
        Long deadline = visit.run().getSpec().activeDeadlineSeconds();
        if (deadline != null
                && status.startTime != null
                && !Instant.parse(status.startTime).plusSeconds(deadline).isAfter(visit.now())
                && !visit.finished()) {
            status.fail(
                    "DeadlineExceeded",
                    "the run was active for longer than activeDeadlineSeconds, " + deadline
                            + "; give a later run more time",
                    visit.now());
        }
        return Progress.next();
    }

    /** An attempt that is still open although its container is neither running nor known to have ended: its pod is gone. */
    private static void closeLost(Visit visit, StatusDraft status, String running) {
        for (int i = 0; i < status.attempts.size(); i++) {
            Attempt attempt = status.attempts.get(i);
            boolean open = attempt.endTime() == null && !attempt.startTime().equals(running);
            if (open) {
                status.attempts.set(
                        i,
                        new Attempt(
                                attempt.startTime(),
                                visit.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                                visit.seen()
                                        .departedTrainer()
                                        .flatMap(RecordAttempts::disruption)
                                        .orElse(DELETED)));
            }
        }
    }

    /** Closes the attempts whose end a pod's status tells. */
    private static void closeEnded(StatusDraft status, Pod pod) {
        Optional<ContainerStatus> container = container(pod);
        Stream.of(container.map(ContainerStatus::getLastState), container.map(ContainerStatus::getState))
                .flatMap(Optional::stream)
                .map(ContainerState::getTerminated)
                .filter(Objects::nonNull)
                .forEach(ended -> close(status, pod, ended));
    }

    private static void close(StatusDraft status, Pod pod, ContainerStateTerminated ended) {
        Optional<String> disruption = disruption(pod);
        String reason = disruption.orElseGet(() -> ended.getReason() == null
                ? "ExitCode" + ended.getExitCode()
                : "Error".equals(ended.getReason())
                        ? "Error (exit code " + ended.getExitCode() + ")"
                        : ended.getReason());
        if (ended.getStartedAt() == null || isForgotten(status.attempts, ended.getStartedAt())) {
            return;
        }
        int known = find(status.attempts, ended.getStartedAt());
        if (known >= 0 && isKnown(status.attempts.get(known))) {
            return;
        }
        Attempt closed = new Attempt(ended.getStartedAt(), ended.getFinishedAt(), reason);
        if (known >= 0) {
            status.attempts.set(known, closed);
        } else {
            add(status, closed);
        }
        if (disruption.isEmpty()) {
            status.failures++;
        }
    }

    /** Whether its end was told. One whose pod was only found gone may yet learn how: the news of a deletion can be late. */
    private static boolean isKnown(Attempt attempt) {
        return attempt.endTime() != null && !DELETED.equals(attempt.reason());
    }

    /** Why Kubernetes took the pod away; empty where it did not. */
    private static Optional<String> disruption(Pod pod) {
        if ("Evicted".equals(pod.getStatus().getReason())
                || "NodeLost".equals(pod.getStatus().getReason())) {
            return Optional.of(pod.getStatus().getReason());
        }
        Optional<String> condition = pod.getStatus().getConditions().stream()
                .filter(found -> "DisruptionTarget".equals(found.getType()) && "True".equals(found.getStatus()))
                .findFirst()
                .map(PodCondition::getReason)
                .map(reason -> "EvictionByEvictionAPI".equals(reason) ? "Evicted" : reason);
        if (condition.isPresent()) {
            return condition;
        }
        return pod.getMetadata().getDeletionTimestamp() == null ? Optional.empty() : Optional.of(DELETED);
    }

    private static Optional<ContainerStatus> container(Pod pod) {
        return pod.getStatus() == null
                ? Optional.empty()
                : pod.getStatus().getContainerStatuses().stream().findFirst();
    }

    private static int find(List<Attempt> attempts, String startTime) {
        for (int i = 0; i < attempts.size(); i++) {
            if (attempts.get(i).startTime().equals(startTime)) {
                return i;
            }
        }
        return -1;
    }

    /** Older than all that are kept: it was counted when it was new. */
    private static boolean isForgotten(List<Attempt> attempts, String startTime) {
        return attempts.size() == KEPT
                && Instant.parse(startTime)
                        .isBefore(Instant.parse(attempts.getFirst().startTime()));
    }

    private static void add(StatusDraft status, Attempt attempt) {
        status.attempts.add(attempt);
        while (status.attempts.size() > KEPT) {
            status.attempts.removeFirst();
        }
    }

    private static String lastReason(List<Attempt> attempts) {
        return attempts.reversed().stream()
                .filter(attempt -> attempt.endTime() != null)
                .findFirst()
                .map(Attempt::reason)
                .orElse("an unknown reason");
    }
}
