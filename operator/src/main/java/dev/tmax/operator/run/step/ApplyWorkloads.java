package dev.tmax.operator.run.step;

import dev.tmax.api.v1alpha1.TrainingRun;
import dev.tmax.contracts.configuration.InvalidConfigurationException;
import dev.tmax.contracts.configuration.RunConfiguration;
import dev.tmax.contracts.status.RunStatus;
import dev.tmax.operator.Labels;
import dev.tmax.operator.OperatorSettings;
import dev.tmax.operator.apply.Applier;
import dev.tmax.operator.run.children.ConfigurationRenderer;
import dev.tmax.operator.run.children.Foundations;
import dev.tmax.operator.run.children.References;
import dev.tmax.operator.run.children.RunNames;
import dev.tmax.operator.run.children.Workloads;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Makes the StatefulSets of trainer and generators. One that was made from the same spec is left alone but for its number of
 * pods, so that neither a restart nor another version of the operator restarts a pod.
 */
public final class ApplyWorkloads implements Step {

    private static final Duration RECHECK = Duration.ofSeconds(2);

    private final KubernetesClient client;
    private final Applier applier;
    private final OperatorSettings.Images images;

    public ApplyWorkloads(KubernetesClient client, Applier applier, OperatorSettings.Images images) {
        this.client = client;
        this.applier = applier;
        this.images = images;
    }

    @Override
    public Progress reconcile(Visit visit) {
        Optional<References> references = visit.references();
        if (references.isEmpty()) {
            return Progress.next();
        }
        TrainingRun run = visit.run();
        RunNames names = visit.names();
        if (isOfAnotherRun(visit.seen().trainer(), names)
                || isOfAnotherRun(visit.seen().generators(), names)) {
            visit.status()
                    .conditions()
                    .set(
                            StatusDraft.READY,
                            false,
                            StatusDraft.WAITING,
                            "pods of an earlier run of this name are being removed");
            return Progress.stop(RECHECK);
        }
        RunConfiguration configuration;
        try {
            configuration = ConfigurationRenderer.render(names, run.getSpec(), references.get());
        } catch (InvalidConfigurationException e) {
            visit.status().fail("InvalidConfiguration", e.getMessage(), visit.now());
            return Progress.stop(RECHECK);
        }
        ConfigMap configMap = Foundations.configuration(run, names, configuration);
        String configName = configMap.getMetadata().getName();
        // A trainer that has drained does no more: resumed before its pod was taken away, it must start anew.
        boolean drained = visit.seen()
                .report()
                .filter(report -> report.phase() == RunStatus.Phase.DRAINED)
                .isPresent();
        ensure(
                visit.seen().trainer(),
                drained ? 0 : 1,
                run,
                () -> applier.apply(configMap, names.uid()),
                () -> Workloads.trainer(run, names, references.get(), configName, images));
        ensure(
                visit.seen().generators(),
                run.getSpec().generators().replicas(),
                run,
                () -> applier.apply(configMap, names.uid()),
                () -> Workloads.generators(run, names, references.get(), configName, images));
        return Progress.next();
    }

    private void ensure(
            Optional<StatefulSet> seen, int replicas, TrainingRun run, Runnable before, Supplier<StatefulSet> desired) {
        boolean madeFromThisSpec = seen.filter(set -> set.getMetadata().getDeletionTimestamp() == null)
                .map(set -> set.getMetadata().getAnnotations())
                .map(annotations -> annotations.get(Labels.SPEC_HASH))
                .filter(Workloads.specHash(run.getSpec())::equals)
                .isPresent();
        if (!madeFromThisSpec) {
            before.run();
            applier.applyNow(desired.get());
        } else if (seen.orElseThrow().getSpec().getReplicas() != replicas) {
            StopPods.scale(client, seen.get(), replicas);
        }
    }

    private static boolean isOfAnotherRun(Optional<StatefulSet> seen, RunNames names) {
        return seen.map(set -> set.getMetadata().getOwnerReferences().stream()
                        .noneMatch(owner -> owner.getUid().equals(names.uid())))
                .orElse(false);
    }
}
