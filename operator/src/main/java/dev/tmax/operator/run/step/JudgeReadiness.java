package dev.tmax.operator.run.step;

import dev.tmax.contracts.status.RunStatus;
import dev.tmax.operator.condition.Conditions;
import dev.tmax.operator.pod.PodProblem;
import dev.tmax.operator.pod.Pods;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Says of each part whether it is ready, and if not, in Kubernetes' own words, why. */
public final class JudgeReadiness implements Step {

    private static final Duration WHILE_NOT_READY = Duration.ofSeconds(5);
    private static final Duration QUIET = Duration.ofSeconds(60);
    private static final String STARTING = "Starting";

    private final QuotaCheck quotas;

    public JudgeReadiness(KubernetesClient client) {
        this.quotas = new QuotaCheck(client);
    }

    @Override
    public Progress reconcile(Visit visit) {
        Conditions conditions = visit.status().conditions();
        trainer(visit);
        generators(visit);
        sandboxes(visit);
        degraded(visit);
        boolean ready = conditions.isTrue(StatusDraft.TRAINER_READY) && conditions.isTrue(StatusDraft.GENERATORS_READY);
        if (ready) {
            String message = visit.seen()
                    .report()
                    .map(RunStatus::message)
                    .filter(text -> text != null && !text.isBlank())
                    .orElse("trainer and generators are ready");
            conditions.set(StatusDraft.READY, true, "Running", message);
        } else {
            String type = conditions.isTrue(StatusDraft.TRAINER_READY)
                    ? StatusDraft.GENERATORS_READY
                    : StatusDraft.TRAINER_READY;
            Condition cause = conditions.get(type).orElseThrow();
            conditions.set(StatusDraft.READY, false, cause.getReason(), cause.getMessage());
        }
        ReadPods.count(visit);
        return Progress.stop(ready ? QUIET : WHILE_NOT_READY);
    }

    private void trainer(Visit visit) {
        Conditions conditions = visit.status().conditions();
        Optional<Pod> pod = visit.seen().trainerPod();
        if (visit.seen().trainerReady()) {
            conditions.set(StatusDraft.TRAINER_READY, true, "Ready", "the trainer is ready");
            return;
        }
        if (pod.isEmpty()) {
            missing(visit, StatusDraft.TRAINER_READY, visit.seen().trainer(), "the trainer's pod is being made");
            return;
        }
        Optional<PodProblem> problem = PodProblem.of(pod.get());
        if (problem.isPresent()) {
            conditions.set(
                    StatusDraft.TRAINER_READY,
                    false,
                    problem.get().reason(),
                    problem.get().message());
            return;
        }
        boolean running = pod.get().getStatus() != null
                && pod.get().getStatus().getContainerStatuses().stream()
                        .anyMatch(status ->
                                status.getState() != null && status.getState().getRunning() != null);
        String message = visit.seen()
                .report()
                .map(RunStatus::message)
                .filter(text -> text != null && !text.isBlank())
                .orElse(running ? "the trainer loads the model" : "the trainer's container is being started");
        conditions.set(StatusDraft.TRAINER_READY, false, running ? StatusDraft.LOADING : STARTING, message);
    }

    private void generators(Visit visit) {
        Conditions conditions = visit.status().conditions();
        int wanted = visit.run().getSpec().generators().replicas();
        int ready = visit.seen().readyGenerators();
        List<Pod> pods = visit.seen().generatorPods();
        if (ready >= wanted) {
            conditions.set(
                    StatusDraft.GENERATORS_READY, true, "Ready", ready + " of " + wanted + " generators are ready");
            return;
        }
        Optional<PodProblem> problem = pods.stream()
                .filter(pod -> !Pods.isReady(pod))
                .map(PodProblem::of)
                .flatMap(Optional::stream)
                .findFirst();
        if (problem.isPresent()) {
            conditions.set(
                    StatusDraft.GENERATORS_READY,
                    false,
                    problem.get().reason(),
                    ready + " of " + wanted + " generators are ready; "
                            + problem.get().message());
        } else if (pods.size() < wanted) {
            missing(
                    visit,
                    StatusDraft.GENERATORS_READY,
                    visit.seen().generators(),
                    ready + " of " + wanted + " generators are ready; more are being made");
        } else {
            conditions.set(
                    StatusDraft.GENERATORS_READY, false, STARTING, ready + " of " + wanted + " generators are ready");
        }
    }

    private void missing(Visit visit, String type, Optional<StatefulSet> set, String otherwise) {
        Optional<String> refusal = set.flatMap(found -> quotas.refusal(
                visit.names().namespace(), found.getSpec().getTemplate().getSpec()));
        if (refusal.isPresent()) {
            visit.status().conditions().set(type, false, "QuotaExceeded", refusal.get());
        } else {
            visit.status().conditions().set(type, false, STARTING, otherwise);
        }
    }

    private static void sandboxes(Visit visit) {
        Optional<Condition> pool = visit.seen()
                .pool()
                .flatMap(found -> Optional.ofNullable(found.getStatus()))
                .filter(status -> status.conditions() != null)
                .flatMap(status -> status.conditions().stream()
                        .filter(condition -> StatusDraft.READY.equals(condition.getType()))
                        .findFirst());
        Conditions conditions = visit.status().conditions();
        if (pool.isPresent()) {
            conditions.set(
                    StatusDraft.SANDBOXES_READY,
                    pool.get().getStatus(),
                    pool.get().getReason(),
                    pool.get().getMessage());
        } else {
            conditions.set(
                    StatusDraft.SANDBOXES_READY, false, "NoDemand", "the trainer has asked for no sandboxes yet");
        }
    }

    private static void degraded(Visit visit) {
        Conditions conditions = visit.status().conditions();
        Optional<RunStatus> paused = visit.seen().report().filter(report -> report.phase() == RunStatus.Phase.PAUSED);
        if (paused.isPresent()) {
            conditions.set(StatusDraft.DEGRADED, true, "Paused", paused.get().message());
            return;
        }
        Optional<RunStatus.Guardrail> guardrail = visit.seen().report().map(RunStatus::guardrail);
        if (guardrail.isPresent() && guardrail.get().signal() != null) {
            conditions.set(
                    StatusDraft.DEGRADED,
                    true,
                    "Guardrail",
                    guardrail.get().signal() + " is " + guardrail.get().value() + ", its bound "
                            + guardrail.get().bound() + "; action: "
                            + guardrail.get().action());
            return;
        }
        conditions.set(StatusDraft.DEGRADED, false, "AsExpected", "no guardrail has acted");
    }
}
