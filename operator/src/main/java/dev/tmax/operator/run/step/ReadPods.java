package dev.tmax.operator.run.step;

import dev.tmax.api.v1alpha1.SandboxPoolStatus;
import dev.tmax.api.v1alpha1.TrainingRunStatus;
import dev.tmax.contracts.status.RunStatus;
import dev.tmax.operator.Labels;
import java.util.Optional;

/** Counts the pods of a run into its status. */
final class ReadPods {

    private ReadPods() {}

    static void count(Visit visit) {
        Optional<RunStatus> report = visit.seen().report();
        visit.status().generators = new TrainingRunStatus.Generators(
                visit.seen().generatorPods().size(),
                visit.seen().readyGenerators(),
                report.map(RunStatus::generators)
                        .map(RunStatus.Generators::current)
                        .orElse(0),
                Labels.RUN + "=" + visit.names().name() + "," + Labels.COMPONENT + "=" + Labels.GENERATOR);
        Optional<SandboxPoolStatus.Pods> pool = visit.seen()
                .pool()
                .flatMap(found -> Optional.ofNullable(found.getStatus()))
                .map(SandboxPoolStatus::pods);
        visit.status().sandboxes = new TrainingRunStatus.Sandboxes(
                pool.map(SandboxPoolStatus.Pods::warming).orElse(0),
                pool.map(SandboxPoolStatus.Pods::ready).orElse(0),
                report.map(RunStatus::sandboxes)
                        .map(RunStatus.Sandboxes::leased)
                        .orElse(0),
                report.map(RunStatus::sandboxes)
                        .map(RunStatus.Sandboxes::cells)
                        .orElse(Optional.ofNullable(visit.status().sandboxes)
                                .map(TrainingRunStatus.Sandboxes::cells)
                                .orElse(0L)));
    }
}
