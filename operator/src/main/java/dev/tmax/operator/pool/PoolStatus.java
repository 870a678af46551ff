package dev.tmax.operator.pool;

import dev.tmax.api.v1alpha1.SandboxPool;
import dev.tmax.api.v1alpha1.SandboxPoolSpec.Demand;
import dev.tmax.api.v1alpha1.SandboxPoolStatus;
import dev.tmax.contracts.sandbox.SandboxContract;
import dev.tmax.operator.condition.ApiRefusal;
import dev.tmax.operator.condition.Conditions;
import dev.tmax.operator.pod.PodProblem;
import dev.tmax.operator.pod.Pods;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Says how a pool is, from its plan and its pods; and reads back what must outlive the operator. */
final class PoolStatus {

    private static final String READY = "Ready";
    private static final String DEGRADED = "Degraded";

    private final SandboxPool pool;
    private final Optional<SandboxPoolStatus> before;
    private final Conditions conditions;

    PoolStatus(SandboxPool pool, Clock clock) {
        this.pool = pool;
        this.before = Optional.ofNullable(pool.getStatus());
        this.conditions = new Conditions(
                before.map(SandboxPoolStatus::conditions).orElse(null),
                pool.getMetadata().getGeneration(),
                clock);
    }

    /** The entries without a turn, as the status keeps them. */
    static Map<String, Setback> setbacks(SandboxPool pool) {
        Map<String, Setback> setbacks = new HashMap<>();
        if (pool.getStatus() != null && pool.getStatus().entries() != null) {
            pool.getStatus().entries().stream()
                    .filter(entry -> entry.retryTime() != null && entry.failures() != null)
                    .forEach(entry -> setbacks.put(
                            entry.name(),
                            new Setback(
                                    entry.failures(),
                                    Instant.parse(entry.retryTime()),
                                    Optional.ofNullable(entry.reason()).orElse(""))));
        }
        return setbacks;
    }

    /**
     * @param served whether there is a trainer to use the pods
     * @param refused why the API server took no more pods; empty where it did
     * @param replacedNow pods that ended and were deleted in this pass
     */
    SandboxPoolStatus of(
            PodPlan plan, boolean served, List<Pod> pods, Optional<SandboxPods.Refusal> refused, int replacedNow) {
        List<SandboxPoolStatus.Entry> entries = new ArrayList<>();
        int wanted = 0;
        int ready = 0;
        Optional<PodProblem> first = Optional.empty();
        for (var granted : plan.granted().entrySet()) {
            List<Pod> own = pods.stream()
                    .filter(pod -> granted.getKey()
                            .equals(pod.getMetadata().getLabels().get(SandboxContract.ENTRY_LABEL)))
                    .toList();
            Optional<Setback> setback = Optional.ofNullable(plan.setbacks().get(granted.getKey()));
            Optional<PodProblem> problem = own.stream()
                    .filter(pod -> !Pods.isReady(pod))
                    .map(PodProblem::of)
                    .flatMap(Optional::stream)
                    .findFirst()
                    .or(() -> setback.map(found -> new PodProblem("CannotStart", found.reason())));
            int readyOfEntry = (int) own.stream().filter(Pods::isReady).count();
            entries.add(new SandboxPoolStatus.Entry(
                    granted.getKey(),
                    granted.getValue(),
                    readyOfEntry,
                    problem.map(PodProblem::message).orElse(granted.getValue() == 0 ? atLimit(granted.getKey()) : null),
                    setback.map(Setback::failures).orElse(null),
                    setback.map(found -> found.until()
                                    .truncatedTo(ChronoUnit.SECONDS)
                                    .toString())
                            .orElse(null)));
            wanted += granted.getValue();
            ready += readyOfEntry;
            first = first.or(() -> problem);
        }
        int warming = (int) pods.stream()
                .filter(pod -> !Pods.isReady(pod) && !Pods.hasEnded(pod) && !Pods.isTerminating(pod))
                .count();
        int replaced = replacedNow
                + before.map(SandboxPoolStatus::pods)
                        .map(SandboxPoolStatus.Pods::replaced)
                        .orElse(0);
        judge(wanted, ready, served, refused, first);
        return new SandboxPoolStatus(
                conditions.list(),
                pool.getMetadata().getGeneration(),
                new SandboxPoolStatus.Pods(wanted, warming, ready, replaced),
                entries.isEmpty() ? null : entries);
    }

    /** As before, but for what the API server said to a reconciliation that it refused. */
    SandboxPoolStatus refused(String message) {
        conditions.set(READY, false, ApiRefusal.REASON, message);
        return new SandboxPoolStatus(
                conditions.list(),
                before.map(SandboxPoolStatus::observedGeneration).orElse(null),
                before.map(SandboxPoolStatus::pods).orElse(null),
                before.map(SandboxPoolStatus::entries).orElse(null));
    }

    private void judge(
            int wanted,
            int ready,
            boolean served,
            Optional<SandboxPods.Refusal> refused,
            Optional<PodProblem> problem) {
        String counts = ready + " of " + wanted + " sandbox pods are ready";
        if (refused.isPresent()) {
            String reason = refused.get().reason();
            conditions.set(READY, false, reason, counts + "; " + refused.get().message());
            conditions.set(DEGRADED, true, reason, refused.get().message());
            return;
        }
        if (!served) {
            conditions.set(
                    READY,
                    false,
                    "NoTrainer",
                    "the trainer has not run for longer than its leases last; its pods are made again when it returns");
        } else if (wanted == 0 && problem.isEmpty()) {
            conditions.set(READY, false, "NoDemand", "the trainer asks for no sandboxes now");
        } else if (ready >= wanted && wanted > 0) {
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
    }

    private String atLimit(String entry) {
        boolean wants = Optional.ofNullable(pool.getSpec().demand()).orElse(List.of()).stream()
                .filter(demand -> demand.name().equals(entry))
                .anyMatch(PoolStatus::wantsPods);
        return wants ? "earlier steps have all of maxPods, " + pool.getSpec().maxPods() : null;
    }

    private static boolean wantsPods(Demand demand) {
        return demand.attempts() > 0;
    }
}
