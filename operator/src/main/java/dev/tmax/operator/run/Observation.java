package dev.tmax.operator.run;

import dev.tmax.api.v1alpha1.Checkpoint;
import dev.tmax.api.v1alpha1.SandboxPool;
import dev.tmax.contracts.status.RunStatus;
import dev.tmax.operator.pod.Pods;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.List;
import java.util.Optional;

/**
 * What is there of a run at one moment. Only looked at, never changed.
 *
 * @param trainerPod the pod of the trainer's StatefulSet, also while it is terminating
 * @param departedTrainer the trainer's pod before, as it was when it was deleted; an end may be seen nowhere else
 * @param report what that very pod's trainer said last
 * @param checkpoints Checkpoints of this run, whoever made them
 */
public record Observation(
        Optional<StatefulSet> trainer,
        Optional<StatefulSet> generators,
        Optional<Pod> trainerPod,
        Optional<Pod> departedTrainer,
        List<Pod> generatorPods,
        Optional<SandboxPool> pool,
        Optional<RunStatus> report,
        List<Checkpoint> checkpoints) {

    public boolean trainerReady() {
        return trainerPod.map(Pods::isReady).orElse(false);
    }

    public int readyGenerators() {
        return (int) generatorPods.stream().filter(Pods::isReady).count();
    }

    public boolean anyPod() {
        return trainerPod.isPresent() || !generatorPods.isEmpty();
    }
}
