package dev.tmax.trainer.checkpoint;

import dev.tmax.contracts.status.RunStatus;
import dev.tmax.trainer.buffer.RolloutStatistics;

/** Groups and attempts since the start of the run, over all its processes. */
public record GroupTotals(
        long trained,
        long filteredAllZero,
        long filteredAllOne,
        long stale,
        long failed,
        long replaced,
        long verifierFailures,
        long infrastructureFailures,
        long tokens) {

    public static final GroupTotals NONE = new GroupTotals(0, 0, 0, 0, 0, 0, 0, 0, 0);

    public GroupTotals plus(RolloutStatistics step) {
        return new GroupTotals(
                trained + step.trained(),
                filteredAllZero + step.filteredAllZero(),
                filteredAllOne + step.filteredAllOne(),
                stale
                        + step.stale().values().stream()
                                .mapToInt(Integer::intValue)
                                .sum(),
                failed + step.failed(),
                replaced + step.replaced(),
                verifierFailures + step.verifierFailures(),
                infrastructureFailures + step.infrastructureFailures(),
                tokens + step.tokens());
    }

    public RunStatus.Groups status() {
        return new RunStatus.Groups(trained, filteredAllZero, filteredAllOne, stale, failed, replaced);
    }
}
