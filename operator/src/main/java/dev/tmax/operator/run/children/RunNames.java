package dev.tmax.operator.run.children;

import dev.tmax.api.v1alpha1.TrainingRun;
import dev.tmax.operator.ChildName;
import dev.tmax.operator.Hash;
import dev.tmax.operator.Labels;
import java.util.Map;

/** Names and labels of everything that belongs to one run: the same for the same run, whoever asks. */
public record RunNames(String namespace, String name, String uid, String sandboxNamespace) {

    private static final int SHORT_UID = 8;
    private static final int POOL_HASH = 8;

    public static RunNames of(TrainingRun run, String sandboxNamespace) {
        return new RunNames(
                run.getMetadata().getNamespace(),
                run.getMetadata().getName(),
                run.getMetadata().getUid(),
                sandboxNamespace);
    }

    /** StatefulSet, Service and ServiceAccount of the trainer. */
    public String trainer() {
        return ChildName.of(name, Labels.TRAINER, ChildName.STATEFUL_SET);
    }

    public String trainerPod() {
        return trainer() + "-0";
    }

    /** StatefulSet and ServiceAccount of the generators. */
    public String generator() {
        return ChildName.of(name, Labels.GENERATOR, ChildName.STATEFUL_SET);
    }

    public String secret() {
        return secret(name);
    }

    public static String secret(String run) {
        return ChildName.of(run, "secrets", ChildName.LABEL);
    }

    public String configMap(String hash) {
        return ChildName.of(name, "config-" + hash, ChildName.LABEL);
    }

    /** ConfigMap with the trainer's last words. */
    public String result() {
        return ChildName.of(name, "result", ChildName.LABEL);
    }

    /** Claim of this very run: a later one of the same name must not resume from what this one leaves. */
    public String claim() {
        return ChildName.of(name, "checkpoints-" + shortUid(), ChildName.LABEL);
    }

    public String checkpoint(String snapshot) {
        return ChildName.of(name, shortUid() + "-" + snapshot, ChildName.LABEL);
    }

    /**
     * SandboxPool, and the Role, RoleBinding and NetworkPolicy beside it. The pools of all namespaces share one
     * namespace; the hash keeps run c of namespace a-b from run b-c of namespace a.
     */
    public String pool() {
        return ChildName.of(namespace + "-" + name, Hash.of(namespace + "/" + name, POOL_HASH), ChildName.LABEL);
    }

    public String shortUid() {
        return uid.substring(0, SHORT_UID);
    }

    public Map<String, String> labels() {
        return Map.of(Labels.MANAGED_BY, Labels.FIELD_MANAGER, Labels.RUN, name, Labels.RUN_UID, uid);
    }

    public Map<String, String> labels(String component) {
        return Map.of(
                Labels.MANAGED_BY,
                Labels.FIELD_MANAGER,
                Labels.RUN,
                name,
                Labels.RUN_UID,
                uid,
                Labels.COMPONENT,
                component);
    }

    /** What selects the pods of one component; a StatefulSet's selector cannot change, so it says no more than it must. */
    public Map<String, String> selector(String component) {
        return Map.of(Labels.RUN, name, Labels.COMPONENT, component);
    }
}
