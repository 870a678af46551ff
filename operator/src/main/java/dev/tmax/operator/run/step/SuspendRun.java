package dev.tmax.operator.run.step;

import dev.tmax.contracts.status.RunStatus;
import dev.tmax.operator.condition.Conditions;
import dev.tmax.operator.run.children.Credentials;
import dev.tmax.operator.trainer.Trainers;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** While suspend is wanted: lets the trainer drain into a checkpoint, within a grace time, then gives all pods back. */
public final class SuspendRun implements Step {

    private static final String SUSPENDING = "Suspending";
    private static final Duration RECHECK = Duration.ofSeconds(2);
    private static final Duration QUIET = Duration.ofMinutes(10);

    private final Trainers trainers;
    private final Credentials credentials;
    private final StopPods stopPods;
    private final Duration grace;

    public SuspendRun(KubernetesClient client, Trainers trainers, Credentials credentials, Duration grace) {
        this.trainers = trainers;
        this.credentials = credentials;
        this.stopPods = new StopPods(client);
        this.grace = grace;
    }

    @Override
    public Progress reconcile(Visit visit) {
        Conditions conditions = visit.status().conditions();
        if (!visit.run().getSpec().suspend()) {
            conditions.set(StatusDraft.SUSPENDED, false, "NotSuspended", "spec.suspend is false");
            return Progress.next();
        }
        if (conditions.isTrue(StatusDraft.SUSPENDED) && !visit.seen().anyPod()) {
            return suspended(visit);
        }
        if (!drained(visit)) {
            conditions.set(
                    StatusDraft.SUSPENDED,
                    Conditions.UNKNOWN,
                    SUSPENDING,
                    "the trainer finishes its step and writes a checkpoint; its pod goes within " + grace.toSeconds()
                            + " s");
            conditions.set(StatusDraft.READY, false, SUSPENDING, "the run is being suspended");
            ReadPods.count(visit);
            return Progress.stop(RECHECK);
        }
        boolean stopped = stopPods.stop(visit);
        if (!stopped) {
            conditions.set(StatusDraft.SUSPENDED, Conditions.UNKNOWN, SUSPENDING, "the pods are being removed");
            conditions.set(StatusDraft.READY, false, SUSPENDING, "the run is being suspended");
            ReadPods.count(visit);
            return Progress.stop(RECHECK);
        }
        return suspended(visit);
    }

    /** Whether nothing would be lost any more, or the time to save it is over. */
    private boolean drained(Visit visit) {
        Optional<Pod> trainer = visit.seen().trainerPod();
        if (trainer.isEmpty()
                || trainer.get().getMetadata().getDeletionTimestamp() != null
                || visit.seen().trainer().isEmpty()
                || visit.seen().trainer().get().getSpec().getReplicas() == 0
                || !containerRuns(trainer.get())) {
            return true;
        }
        RunStatus.Phase phase = visit.seen().report().map(RunStatus::phase).orElse(RunStatus.Phase.LOADING);
        if (phase == RunStatus.Phase.DRAINED) {
            return true;
        }
        Optional<Instant> since = visit.status()
                .conditions()
                .get(StatusDraft.SUSPENDED)
                .filter(suspended -> SUSPENDING.equals(suspended.getReason()))
                .map(Condition::getLastTransitionTime)
                .map(Instant::parse);
        if (since.isPresent() && since.get().plus(grace).isBefore(visit.now())) {
            return true;
        }
        trainers.requestDrain(
                trainer.get(), credentials.ensure(visit.run(), visit.names()).token());
        return false;
    }

    private static boolean containerRuns(Pod pod) {
        return pod.getStatus() != null
                && pod.getStatus().getContainerStatuses().stream()
                        .anyMatch(status ->
                                status.getState() != null && status.getState().getRunning() != null);
    }

    private static Progress suspended(Visit visit) {
        Conditions conditions = visit.status().conditions();
        String message = "all pods are given back; set spec.suspend to false to go on at step " + visit.status().step;
        conditions.set(StatusDraft.SUSPENDED, true, "Suspended", message);
        for (String type : new String[] {
            StatusDraft.READY, StatusDraft.TRAINER_READY, StatusDraft.GENERATORS_READY, StatusDraft.SANDBOXES_READY
        }) {
            conditions.set(type, false, "Suspended", "the run is suspended");
        }
        conditions.set(StatusDraft.DEGRADED, false, "AsExpected", "the run is suspended");
        ReadPods.count(visit);
        return Progress.stop(QUIET);
    }
}
