package dev.tmax.operator.run.step;

import dev.tmax.contracts.status.RunStatus;
import dev.tmax.operator.apply.Applier;
import dev.tmax.operator.condition.Conditions;
import dev.tmax.operator.run.children.Foundations;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;

/** After the end: keeps the trainer's last words, gives all pods back, and deletes the run when its time is over. */
public final class FinishRun implements Step {

    private static final Duration WHILE_PODS_STOP = Duration.ofSeconds(5);
    private static final Duration QUIET = Duration.ofMinutes(10);

    private final KubernetesClient client;
    private final Applier applier;
    private final StopPods stopPods;

    public FinishRun(KubernetesClient client, Applier applier) {
        this.client = client;
        this.applier = applier;
        this.stopPods = new StopPods(client);
    }

    @Override
    public Progress reconcile(Visit visit) {
        if (!visit.finished()) {
            return Progress.next();
        }
        visit.seen().report().filter(FinishRun::isLastWord).ifPresent(report -> keep(visit, report));
        boolean stopped = stopPods.stop(visit);
        if (stopped) {
            stopPods.deleteStatefulSets(visit);
        }
        conditions(visit);
        Duration untilDeletion = deleteWhenDue(visit);
        return Progress.stop(stopped || untilDeletion.compareTo(WHILE_PODS_STOP) < 0 ? untilDeletion : WHILE_PODS_STOP);
    }

    private static boolean isLastWord(RunStatus report) {
        return report.phase() == RunStatus.Phase.SUCCEEDED || report.phase() == RunStatus.Phase.FAILED;
    }

    private void keep(Visit visit, RunStatus report) {
        applier.apply(
                Foundations.result(visit.run(), visit.names(), report.toJson()),
                visit.names().uid());
    }

    private static void conditions(Visit visit) {
        Conditions conditions = visit.status().conditions();
        boolean succeeded = conditions.isTrue(StatusDraft.COMPLETE);
        String what = succeeded ? "the run has succeeded" : "the run has failed";
        conditions.set(StatusDraft.READY, false, "Finished", what);
        conditions.set(StatusDraft.TRAINER_READY, false, "Finished", what);
        conditions.set(StatusDraft.GENERATORS_READY, false, "Finished", what);
        conditions.set(StatusDraft.SANDBOXES_READY, false, "Finished", what);
        conditions.set(StatusDraft.SUSPENDED, false, "NotSuspended", what);
        conditions.set(StatusDraft.DEGRADED, false, "AsExpected", what);
        ReadPods.count(visit);
    }

    /** Deletes the run if its time is over, else says how long it still has. */
    private Duration deleteWhenDue(Visit visit) {
        Integer ttl = visit.run().getSpec().ttlSecondsAfterFinished();
        if (ttl == null || visit.status().completionTime == null) {
            return QUIET;
        }
        Duration left = Duration.between(
                visit.now(), Instant.parse(visit.status().completionTime).plusSeconds(ttl));
        if (left.isPositive()) {
            return left;
        }
        // What has become of the run must be written once before it goes: Events and watchers see the end.
        if (visit.run().getStatus() == null || visit.run().getStatus().completionTime() == null) {
            return Duration.ofSeconds(1);
        }
        client.resource(visit.run()).delete();
        return QUIET;
    }
}
