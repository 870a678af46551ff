package dev.tmax.operator.run.step;

import dev.tmax.api.v1alpha1.AgentSpec;
import dev.tmax.api.v1alpha1.Checkpoint;
import dev.tmax.api.v1alpha1.CheckpointStatus;
import dev.tmax.api.v1alpha1.CheckpointsSpec;
import dev.tmax.api.v1alpha1.ModelSource;
import dev.tmax.api.v1alpha1.TaskSet;
import dev.tmax.api.v1alpha1.TaskSetSpec;
import dev.tmax.api.v1alpha1.TrainingRunSpec;
import dev.tmax.operator.condition.Conditions;
import dev.tmax.operator.run.children.References;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Optional;

/**
 * Finds what the run refers to. Before the first pod, a missing or unusable reference makes the run wait with a condition
 * that names it; a run that has pods goes on with them.
 */
public final class ResolveReferences implements Step {

    private static final Duration RECHECK = Duration.ofSeconds(5);
    private static final String NOT_FOUND_NAMESPACE = " in namespace ";

    private final KubernetesClient client;
    private final Lookup lookup;

    /** TaskSets and Checkpoints as the informers know them. */
    public interface Lookup {

        Optional<TaskSet> taskSet(String namespace, String name);

        Optional<Checkpoint> checkpoint(String namespace, String name);
    }

    public ResolveReferences(KubernetesClient client, Lookup lookup) {
        this.client = client;
        this.lookup = lookup;
    }

    @Override
    public Progress reconcile(Visit visit) {
        try {
            visit.resolved(resolve(visit));
            return Progress.next();
        } catch (Missing missing) {
            if (visit.seen().trainer().isPresent() && !visit.run().getSpec().suspend()) {
                visit.status().message = missing.getMessage() + "; the run goes on with the pods that it has";
                return Progress.next();
            }
            if (visit.seen().anyPod()) {
                return Progress.next();
            }
            waitFor(visit, missing);
            return Progress.stop(RECHECK);
        }
    }

    private static void waitFor(Visit visit, Missing missing) {
        Conditions conditions = visit.status().conditions();
        conditions.set(StatusDraft.READY, false, missing.reason, missing.getMessage());
        conditions.set(StatusDraft.TRAINER_READY, false, StatusDraft.WAITING, missing.getMessage());
        conditions.set(StatusDraft.GENERATORS_READY, false, StatusDraft.WAITING, missing.getMessage());
        conditions.set(StatusDraft.SANDBOXES_READY, false, StatusDraft.WAITING, missing.getMessage());
        conditions.set(StatusDraft.DEGRADED, false, "AsExpected", "nothing is wrong with what is there");
        if (visit.run().getSpec().suspend()) {
            conditions.set(StatusDraft.SUSPENDED, true, "Suspended", "spec.suspend is true; no pod was made");
        } else {
            conditions.set(StatusDraft.SUSPENDED, false, "NotSuspended", "spec.suspend is false");
        }
        ReadPods.count(visit);
    }

    private References resolve(Visit visit) {
        TrainingRunSpec spec = visit.run().getSpec();
        String namespace = visit.names().namespace();
        boolean started = visit.seen().trainer().isPresent();
        TaskSetSpec tasks =
                taskSet("tasks.taskSetRef", namespace, spec.tasks().taskSetRef().name(), started);
        Optional<References.HeldOut> heldOut = Optional.ofNullable(spec.evaluation())
                .map(evaluation -> new References.HeldOut(
                        taskSet(
                                "evaluation.taskSetRef",
                                namespace,
                                evaluation.taskSetRef().name(),
                                started),
                        evaluation));
        References.Claim checkpoints = checkpoints(visit, spec.checkpoints());
        References.Model model = model(namespace, spec.model().source());
        Optional<String> prompt = systemPrompt(namespace, spec.agent());
        return new References(model, tasks, heldOut, prompt, checkpoints);
    }

    private TaskSetSpec taskSet(String field, String namespace, String name, boolean started) {
        TaskSet found = lookup.taskSet(namespace, name)
                .orElseThrow(() -> new Missing(
                        "TaskSetNotFound",
                        field + ": TaskSet '" + name + "' does not exist" + NOT_FOUND_NAMESPACE + namespace
                                + "; create it, the run goes on then"));
        Optional<Condition> valid = Optional.ofNullable(found.getStatus()).stream()
                .filter(status -> status.conditions() != null)
                .flatMap(status -> status.conditions().stream())
                .filter(condition -> "Valid".equals(condition.getType()))
                .findFirst();
        boolean usable = valid.map(condition -> Conditions.TRUE.equals(condition.getStatus()))
                .orElse(false);
        if (!usable && !started) {
            boolean refused = valid.map(condition -> Conditions.FALSE.equals(condition.getStatus()))
                    .orElse(false);
            String why = valid.map(Condition::getMessage).orElse("it has not been read yet");
            throw new Missing(
                    refused ? "TaskSetInvalid" : "TaskSetNotReady",
                    field + ": TaskSet '" + name + "' is not valid" + (refused ? "" : " yet") + ": " + why);
        }
        return found.getSpec();
    }

    private References.Model model(String namespace, ModelSource source) {
        if (source.image() != null) {
            return new References.Model.InImage(source.image());
        }
        if (source.persistentVolumeClaim() != null) {
            String claim = source.persistentVolumeClaim().claimName();
            requireClaim("model.source.persistentVolumeClaim.claimName", namespace, claim);
            return new References.Model.OnClaim(
                    claim,
                    Optional.ofNullable(source.persistentVolumeClaim().path()).orElse(""));
        }
        return checkpoint(namespace, source.checkpointRef().name());
    }

    private References.Model checkpoint(String namespace, String name) {
        String field = "model.source.checkpointRef: Checkpoint '" + name + "' ";
        Checkpoint found = lookup.checkpoint(namespace, name)
                .orElseThrow(() -> new Missing(
                        "CheckpointNotFound",
                        field + "does not exist" + NOT_FOUND_NAMESPACE + namespace
                                + "; create it, the run goes on then"));
        CheckpointStatus status = found.getStatus();
        if (status == null || !Boolean.TRUE.equals(status.complete())) {
            throw new Missing("CheckpointNotComplete", field + "is not complete yet");
        }
        if (status.location().huggingFacePath() == null) {
            throw new Missing(
                    "CheckpointNotExported",
                    field + "has no model in Hugging Face layout; use one of a run with checkpoints.exportHuggingFace");
        }
        return new References.Model.OnClaim(
                status.location().claimName(), status.location().huggingFacePath());
    }

    private Optional<String> systemPrompt(String namespace, AgentSpec agent) {
        if (agent.systemPromptRef() == null) {
            return Optional.ofNullable(agent.systemPrompt());
        }
        String name = agent.systemPromptRef().name();
        ConfigMap found =
                client.configMaps().inNamespace(namespace).withName(name).get();
        if (found == null) {
            throw new Missing(
                    "ConfigMapNotFound",
                    "agent.systemPromptRef: ConfigMap '" + name + "' does not exist" + NOT_FOUND_NAMESPACE + namespace
                            + "; create it, the run goes on then");
        }
        String key = agent.systemPromptRef().key();
        return Optional.of(Optional.ofNullable(found.getData())
                .map(data -> data.get(key))
                .orElseThrow(() -> new Missing(
                        "ConfigMapKeyNotFound",
                        "agent.systemPromptRef: ConfigMap '" + name + "' has no key '" + key
                                + "'; add it or name another")));
    }

    private References.Claim checkpoints(Visit visit, CheckpointsSpec spec) {
        CheckpointsSpec.ClaimName given = spec.storage().persistentVolumeClaim();
        if (given == null) {
            visit.status().checkpointClaim = visit.names().claim();
            return new References.Claim(visit.names().claim(), "", true);
        }
        requireClaim(
                "checkpoints.storage.persistentVolumeClaim.claimName",
                visit.names().namespace(),
                given.claimName());
        visit.status().checkpointClaim = given.claimName();
        return new References.Claim(
                given.claimName(), visit.names().name() + "-" + visit.names().shortUid(), false);
    }

    private void requireClaim(String field, String namespace, String claim) {
        if (client.persistentVolumeClaims()
                        .inNamespace(namespace)
                        .withName(claim)
                        .get()
                == null) {
            throw new Missing(
                    "ClaimNotFound",
                    field + ": PersistentVolumeClaim '" + claim + "' does not exist" + NOT_FOUND_NAMESPACE + namespace
                            + "; create it, the run goes on then");
        }
    }

    /** A reference that cannot be followed now. */
    private static final class Missing extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final String reason;

        Missing(String reason, String message) {
            super(message, null, false, false);
            this.reason = reason;
        }
    }
}
