package dev.tmax.operator.pool;

import dev.tmax.api.v1alpha1.SandboxPool;
import dev.tmax.api.v1alpha1.SandboxPoolSpec.Demand;
import dev.tmax.api.v1alpha1.SandboxPoolStatus;
import dev.tmax.contracts.sandbox.SandboxContract;
import dev.tmax.operator.condition.Conditions;
import dev.tmax.operator.pod.PodProblem;
import dev.tmax.operator.pod.Pods;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Says how a pool is, from its plan and its pods. */
final class PoolStatus {

    private static final String READY = "Ready";
    private static final String DEGRADED = "Degraded";

    private PoolStatus() {}

    /**
     * @param refused why the API server took no more pods; empty where it did
     * @param replacedNow pods that ended and were deleted in this pass
     */
    static SandboxPoolStatus of(
            SandboxPool pool, PodPlan plan, List<Pod> pods, Optional<String> refused, int replacedNow, Clock clock) {
        List<SandboxPoolStatus.Entry> entries = new ArrayList<>();
        int wanted = 0;
        int ready = 0;
        Optional<PodProblem> first = Optional.empty();
        for (var granted : plan.granted().entrySet()) {
            List<Pod> own = pods.stream()
                    .filter(pod -> granted.getKey()
                            .equals(pod.getMetadata().getLabels().get(SandboxContract.ENTRY_LABEL)))
                    .toList();
            Optional<PodProblem> problem = own.stream()
                    .filter(pod -> !Pods.isReady(pod))
                    .map(PodProblem::of)
                    .flatMap(Optional::stream)
                    .findFirst();
            int readyOfEntry = (int) own.stream().filter(Pods::isReady).count();
            entries.add(new SandboxPoolStatus.Entry(
                    granted.getKey(),
                    granted.getValue(),
                    readyOfEntry,
                    problem.map(PodProblem::message)
                            .orElse(granted.getValue() == 0 ? atLimit(pool, granted.getKey()) : null)));
            wanted += granted.getValue();
            ready += readyOfEntry;
            first = first.or(() -> problem);
        }
        int warming = (int) pods.stream()
                .filter(pod -> !Pods.isReady(pod) && !Pods.hasEnded(pod) && !Pods.isTerminating(pod))
                .count();
        int replaced = replacedNow
                + Optional.ofNullable(pool.getStatus())
                        .map(SandboxPoolStatus::pods)
                        .map(SandboxPoolStatus.Pods::replaced)
                        .orElse(0);
        return new SandboxPoolStatus(
                conditions(pool, wanted, ready, refused, first, clock).list(),
                pool.getMetadata().getGeneration(),
                new SandboxPoolStatus.Pods(wanted, warming, ready, replaced),
                entries.isEmpty() ? null : entries);
    }

    private static Conditions conditions(
            SandboxPool pool,
            int wanted,
            int ready,
            Optional<String> refused,
            Optional<PodProblem> problem,
            Clock clock) {
        Conditions conditions = new Conditions(
                pool.getStatus() == null ? null : pool.getStatus().conditions(),
                pool.getMetadata().getGeneration(),
                clock);
        String counts = ready + " of " + wanted + " sandbox pods are ready";
        if (refused.isPresent()) {
            conditions.set(READY, false, "QuotaExceeded", counts + "; " + refused.get());
            conditions.set(DEGRADED, true, "QuotaExceeded", refused.get());
            return conditions;
        }
        if (wanted == 0) {
            conditions.set(READY, false, "NoDemand", "the trainer asks for no sandboxes now");
        } else if (ready >= wanted) {
            conditions.set(READY, true, READY, counts);
        } else {
            conditions.set(
                    READY,
                    false,
                    problem.map(PodProblem::reason).orElse("Warming"),
                    problem.map(found -> counts + "; " + found.message()).orElse(counts));
        }
        if (problem.isPresent()) {
            conditions.set(DEGRADED, true, problem.get().reason(), problem.get().message());
        } else {
            conditions.set(DEGRADED, false, "AsExpected", "no pod is refused");
        }
        return conditions;
    }

    private static String atLimit(SandboxPool pool, String entry) {
        boolean wants = Optional.ofNullable(pool.getSpec().demand()).orElse(List.of()).stream()
                .filter(demand -> demand.name().equals(entry))
                .anyMatch(PoolStatus::wantsPods);
        return wants ? "earlier steps have all of maxPods, " + pool.getSpec().maxPods() : null;
    }

    private static boolean wantsPods(Demand demand) {
        return demand.attempts() > 0;
    }
}
