package dev.tmax.operator.run.step;

import dev.tmax.api.v1alpha1.TrainingRunStatus;
import dev.tmax.contracts.status.RunStatus;
import java.util.List;
import java.util.Locale;

/** Takes over what the trainer says of its progress, and its last word. */
public final class ReadReport implements Step {

    /** The estimate is rounded, so that the status does not change with every question. */
    private static final long ETA_GRAIN_SECONDS = 10;

    @Override
    public Progress reconcile(Visit visit) {
        if (!visit.finished()) {
            visit.seen().report().ifPresent(report -> take(visit, report));
        }
        return Progress.next();
    }

    private static void take(Visit visit, RunStatus report) {
        StatusDraft status = visit.status();
        if (report.phase() != RunStatus.Phase.LOADING) {
            progress(status, report);
        }
        switch (report.phase()) {
            case SUCCEEDED -> status.succeed(text(report, "all " + report.steps() + " steps are done"), visit.now());
            case FAILED -> status.fail("TrainerFailed", text(report, "the trainer gave no reason"), visit.now());
            case LOADING, EVALUATING, RUNNING, PAUSED, DRAINING, DRAINED -> {}
        }
    }

    private static void progress(StatusDraft status, RunStatus report) {
        status.step = report.step();
        status.policyVersion = report.policyVersion();
        if (report.step() > status.furthestStep) {
            status.furthestStep = report.step();
            status.failures = 0;
        }
        int steps = Math.max(1, report.steps());
        status.progress = new TrainingRunStatus.Progress(
                (int) Math.min(100, 100L * report.step() / steps),
                report.etaSeconds() < 0
                        ? null
                        : Math.round(report.etaSeconds() / ETA_GRAIN_SECONDS) * ETA_GRAIN_SECONDS);
        List<Double> rewards = report.rewards();
        status.reward = new TrainingRunStatus.Reward(
                rewards.isEmpty() ? null : decimal(rewards.getLast()),
                decimal(report.heldOutBefore()),
                decimal(report.heldOutAfter()));
    }

    private static String text(RunStatus report, String otherwise) {
        return report.message() == null || report.message().isBlank() ? otherwise : report.message();
    }

    private static String decimal(Double number) {
        return number == null ? null : String.format(Locale.ROOT, "%.3f", number);
    }
}
