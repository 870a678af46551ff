package dev.tmax.operator;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import java.util.Map;

/** Labels, annotations and names that the operator gives to what it makes. */
public final class Labels {

    public static final String FIELD_MANAGER = "tmax-operator";

    public static final String MANAGED_BY = "app.kubernetes.io/managed-by";

    /** Name of the TrainingRun. */
    public static final String RUN = "tmax.dev/run";

    /** Uid of the TrainingRun: a later run of the same name is another one. */
    public static final String RUN_UID = "tmax.dev/run-uid";

    /** Namespace of the TrainingRun, on what works for it elsewhere. */
    public static final String RUN_NAMESPACE = "tmax.dev/run-namespace";

    /** {@code trainer} or {@code generator}. */
    public static final String COMPONENT = "tmax.dev/component";

    public static final String TRAINER = "trainer";
    public static final String GENERATOR = "generator";

    /** Name of the TaskSet that a Job indexes. */
    public static final String TASK_SET = "tmax.dev/task-set";

    /** Hash of the parts of a run's spec that its pods are made from. */
    public static final String SPEC_HASH = "tmax.dev/spec-hash";

    private Labels() {}

    public static Map<String, String> managed() {
        return Map.of(MANAGED_BY, FIELD_MANAGER);
    }

    /** Owner within the same namespace. Never blocks the owner's deletion, which would need a right on finalizers. */
    public static OwnerReference ownedBy(HasMetadata owner) {
        return new OwnerReferenceBuilder()
                .withApiVersion(owner.getApiVersion())
                .withKind(owner.getKind())
                .withName(owner.getMetadata().getName())
                .withUid(owner.getMetadata().getUid())
                .withController(true)
                .withBlockOwnerDeletion(false)
                .build();
    }
}
