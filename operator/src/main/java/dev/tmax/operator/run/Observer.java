package dev.tmax.operator.run;

import dev.tmax.api.v1alpha1.Checkpoint;
import dev.tmax.api.v1alpha1.SandboxPool;
import dev.tmax.api.v1alpha1.TaskSet;
import dev.tmax.api.v1alpha1.TrainingRun;
import dev.tmax.operator.Labels;
import dev.tmax.operator.run.children.RunNames;
import dev.tmax.operator.trainer.Trainers;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.IndexerResourceCache;
import io.javaoperatorsdk.operator.processing.event.source.SecondaryToPrimaryMapper;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Watches everything that a run is made of or waits for, and says what of it is there. */
final class Observer {

    private static final String BY_TASK_SET = "runs-by-task-set";
    private static final String BY_CHECKPOINT = "runs-by-checkpoint";

    private final Trainers trainers;
    private final IndexerResourceCache<TrainingRun> runs;
    private final InformerEventSource<StatefulSet, TrainingRun> statefulSets;
    private final InformerEventSource<Pod, TrainingRun> pods;
    private final InformerEventSource<SandboxPool, TrainingRun> pools;
    private final InformerEventSource<Checkpoint, TrainingRun> checkpoints;
    private final InformerEventSource<TaskSet, TrainingRun> taskSets;
    private final Map<ResourceID, Pod> departed = new ConcurrentHashMap<>();
    private final SimpleInboundEventSource<TrainingRun> reports = new SimpleInboundEventSource<>("trainer-reports");

    Observer(EventSourceContext<TrainingRun> context, Trainers trainers) {
        this.trainers = trainers;
        this.runs = context.getPrimaryCache();
        runs.addIndexer(BY_TASK_SET, Observer::taskSetsOf);
        runs.addIndexer(BY_CHECKPOINT, Observer::checkpointsOf);
        this.statefulSets = source(context, StatefulSet.class, Labels.COMPONENT, Observer::byLabel);
        this.pods = new InformerEventSource<>(
                InformerEventSourceConfiguration.from(Pod.class, TrainingRun.class)
                        .withName("run-Pod")
                        .withLabelSelector(Labels.COMPONENT)
                        .withSecondaryToPrimaryMapper(Observer::byLabel)
                        .withOnDeleteFilter((pod, unknown) -> {
                            remember(pod);
                            return true;
                        })
                        .withWatchAllNamespaces()
                        .build(),
                context);
        this.pools = source(
                context,
                SandboxPool.class,
                null,
                pool -> Set.of(new ResourceID(
                        pool.getSpec().runRef().name(), pool.getSpec().runRef().namespace())));
        this.checkpoints = source(context, Checkpoint.class, null, this::byCheckpoint);
        this.taskSets = source(
                context,
                TaskSet.class,
                null,
                taskSet -> runs.byIndex(BY_TASK_SET, key(taskSet)).stream()
                        .map(ResourceID::fromResource)
                        .collect(Collectors.toSet()));
    }

    List<EventSource<?, TrainingRun>> sources() {
        return List.of(statefulSets, pods, pools, checkpoints, taskSets, reports);
    }

    Observation observe(RunNames names) {
        // An earlier run of the same name may still have pods.
        Optional<Pod> trainerPod = pods.get(new ResourceID(names.trainerPod(), names.namespace()))
                .filter(pod -> hasLabel(pod, Labels.RUN_UID, names.uid()));
        return new Observation(
                statefulSets.get(new ResourceID(names.trainer(), names.namespace())),
                statefulSets.get(new ResourceID(names.generator(), names.namespace())),
                trainerPod,
                Optional.ofNullable(departed.get(new ResourceID(names.name(), names.namespace())))
                        .filter(pod -> hasLabel(pod, Labels.RUN_UID, names.uid())),
                pods.list(
                                names.namespace(),
                                pod -> hasLabel(pod, Labels.RUN_UID, names.uid())
                                        && hasLabel(pod, Labels.COMPONENT, Labels.GENERATOR))
                        .sorted(Comparator.comparing(pod -> pod.getMetadata().getName()))
                        .toList(),
                pools.get(new ResourceID(names.pool(), names.sandboxNamespace())),
                trainerPod.flatMap(trainers::report).map(Trainers.Report::status),
                checkpoints
                        .list(
                                names.namespace(),
                                checkpoint ->
                                        checkpoint.getSpec().runRef().name().equals(names.name()))
                        .toList());
    }

    Optional<TaskSet> taskSet(String namespace, String name) {
        return taskSets.get(new ResourceID(name, namespace));
    }

    Optional<Checkpoint> checkpoint(String namespace, String name) {
        return checkpoints.get(new ResourceID(name, namespace));
    }

    Stream<TrainingRun> runs() {
        return runs.list(run -> true);
    }

    /** Trainers that run now; what they say wakes their run. */
    Stream<Trainers.Target> trainers() {
        departed.keySet().retainAll(runs().map(ResourceID::fromResource).collect(Collectors.toSet()));
        return pods.list(pod -> hasLabel(pod, Labels.COMPONENT, Labels.TRAINER)
                        && pod.getStatus() != null
                        && "Running".equals(pod.getStatus().getPhase()))
                .map(pod -> new Trainers.Target(pod, status -> byLabel(pod).forEach(reports::propagateEvent)));
    }

    private void remember(Pod pod) {
        if (hasLabel(pod, Labels.COMPONENT, Labels.TRAINER)) {
            byLabel(pod).forEach(run -> departed.put(run, pod));
        }
    }

    private Set<ResourceID> byCheckpoint(Checkpoint checkpoint) {
        Set<ResourceID> woken = runs.byIndex(BY_CHECKPOINT, key(checkpoint)).stream()
                .map(ResourceID::fromResource)
                .collect(Collectors.toSet());
        woken.add(new ResourceID(
                checkpoint.getSpec().runRef().name(), checkpoint.getMetadata().getNamespace()));
        return woken;
    }

    private static List<String> taskSetsOf(TrainingRun run) {
        String namespace = run.getMetadata().getNamespace();
        Stream<String> training = Stream.of(run.getSpec().tasks().taskSetRef().name());
        Stream<String> heldOut = Stream.ofNullable(run.getSpec().evaluation())
                .map(evaluation -> evaluation.taskSetRef().name());
        return Stream.concat(training, heldOut)
                .distinct()
                .map(name -> namespace + "/" + name)
                .toList();
    }

    private static List<String> checkpointsOf(TrainingRun run) {
        return Stream.ofNullable(run.getSpec().model().source().checkpointRef())
                .map(reference -> run.getMetadata().getNamespace() + "/" + reference.name())
                .toList();
    }

    private static String key(HasMetadata object) {
        return object.getMetadata().getNamespace() + "/" + object.getMetadata().getName();
    }

    private static Set<ResourceID> byLabel(HasMetadata child) {
        String run = label(child, Labels.RUN);
        return run == null
                ? Set.of()
                : Set.of(new ResourceID(run, child.getMetadata().getNamespace()));
    }

    private static boolean hasLabel(HasMetadata object, String label, String value) {
        return value.equals(label(object, label));
    }

    private static String label(HasMetadata object, String label) {
        Map<String, String> labels = object.getMetadata().getLabels();
        return labels == null ? null : labels.get(label);
    }

    private static <R extends HasMetadata> InformerEventSource<R, TrainingRun> source(
            EventSourceContext<TrainingRun> context,
            Class<R> kind,
            String labelSelector,
            SecondaryToPrimaryMapper<R> mapper) {
        var configuration = InformerEventSourceConfiguration.from(kind, TrainingRun.class)
                .withName("run-" + kind.getSimpleName())
                .withSecondaryToPrimaryMapper(mapper)
                .withWatchAllNamespaces();
        if (labelSelector != null) {
            configuration.withLabelSelector(labelSelector);
        }
        return new InformerEventSource<>(configuration.build(), context);
    }
}
