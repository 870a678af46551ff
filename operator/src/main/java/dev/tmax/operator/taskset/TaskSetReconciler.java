package dev.tmax.operator.taskset;

import dev.tmax.api.v1alpha1.TaskSet;
import dev.tmax.api.v1alpha1.TaskSetStatus;
import dev.tmax.operator.Labels;
import dev.tmax.operator.apply.Applier;
import dev.tmax.operator.condition.Conditions;
import dev.tmax.operator.condition.StatusWriter;
import dev.tmax.operator.pod.PodProblem;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Reads each task set once per spec, by a Job in the task set's own volume, and writes down what it found. */
@ControllerConfiguration(name = "taskset")
public final class TaskSetReconciler implements Reconciler<TaskSet> {

    private static final String VALID = "Valid";
    private static final Duration RECHECK = Duration.ofSeconds(5);
    private static final Duration QUIET = Duration.ofMinutes(10);

    private final KubernetesClient client;
    private final String indexerImage;
    private final Clock clock;
    private final Applier applier;
    private final StatusWriter<TaskSet, TaskSetStatus> statuses;
    private InformerEventSource<Job, TaskSet> jobs;
    private InformerEventSource<Pod, TaskSet> pods;

    public TaskSetReconciler(KubernetesClient client, String indexerImage, Clock clock, Applier applier) {
        this.client = client;
        this.indexerImage = indexerImage;
        this.clock = clock;
        this.applier = applier;
        this.statuses = new StatusWriter<>(client, clock, TaskSet::new, TaskSetStatus::conditions);
    }

    @Override
    public List<EventSource<?, TaskSet>> prepareEventSources(EventSourceContext<TaskSet> context) {
        jobs = source(context, Job.class);
        pods = source(context, Pod.class);
        return List.of(jobs, pods);
    }

    @Override
    public UpdateControl<TaskSet> reconcile(TaskSet taskSet, Context<TaskSet> context) {
        if (taskSet.getMetadata().getDeletionTimestamp() != null) {
            return UpdateControl.noUpdate();
        }
        String jobName = IndexingJob.name(taskSet);
        Optional<Job> job =
                jobs.get(new ResourceID(jobName, taskSet.getMetadata().getNamespace()));
        if (isJudged(taskSet)) {
            job.filter(found -> found.getMetadata().getDeletionTimestamp() == null)
                    .ifPresent(found -> client.resource(found).delete());
            return UpdateControl.<TaskSet>noUpdate().rescheduleAfter(QUIET);
        }
        if (job.isEmpty()) {
            applier.applyNow(IndexingJob.render(taskSet, indexerImage));
        }
        List<Pod> podsOfJob = pods.list(
                        taskSet.getMetadata().getNamespace(),
                        pod -> pod.getMetadata().getOwnerReferences().stream()
                                .anyMatch(owner -> owner.getName().equals(jobName)))
                .toList();
        TaskSetStatus status = podsOfJob.stream()
                .map(TaskSetReconciler::lastWords)
                .flatMap(Optional::stream)
                .findFirst()
                .map(summary -> judged(taskSet, summary))
                .orElseGet(() -> waiting(taskSet, job, podsOfJob));
        return statuses.write(taskSet, status, context, RECHECK);
    }

    /** Whether this very spec was read to its end. */
    private static boolean isJudged(TaskSet taskSet) {
        TaskSetStatus status = taskSet.getStatus();
        return status != null
                && Objects.equals(
                        status.observedGeneration(), taskSet.getMetadata().getGeneration())
                && status.tasks() != null
                && status.conditions() != null
                && status.conditions().stream()
                        .anyMatch(condition -> VALID.equals(condition.getType())
                                && Objects.equals(
                                        condition.getObservedGeneration(),
                                        taskSet.getMetadata().getGeneration())
                                && !Conditions.UNKNOWN.equals(condition.getStatus()));
    }

    private static Optional<TaskSetSummary> lastWords(Pod pod) {
        if (pod.getStatus() == null) {
            return Optional.empty();
        }
        return pod.getStatus().getContainerStatuses().stream()
                .map(status -> Optional.ofNullable(status.getState())
                        .map(ContainerState::getTerminated)
                        .map(ContainerStateTerminated::getMessage)
                        .flatMap(TaskSetSummary::parse))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private TaskSetStatus judged(TaskSet taskSet, TaskSetSummary summary) {
        Conditions conditions = conditions(taskSet);
        conditions.set(
                VALID,
                summary.isValid(),
                summary.isValid()
                        ? "AllTasksUsable"
                        : summary.tasks() == 0 && summary.invalid() == 0 ? "Empty" : "InvalidTasks",
                summary.sentence());
        return new TaskSetStatus(
                conditions.list(),
                taskSet.getMetadata().getGeneration(),
                summary.format(),
                summary.tasks(),
                summary.invalid(),
                summary.firstInvalid().isEmpty()
                        ? null
                        : summary.firstInvalid().stream()
                                .map(invalid -> new TaskSetStatus.InvalidTask(invalid.task(), invalid.reason()))
                                .toList(),
                summary.domains().isEmpty() ? null : new TreeMap<>(summary.domains()),
                summary.balance() == null ? null : String.format(Locale.ROOT, "%.3f", summary.balance()),
                summary.duplicates(),
                summary.nearDuplicates(),
                summary.contaminated(),
                summary.digest());
    }

    private TaskSetStatus waiting(TaskSet taskSet, Optional<Job> job, List<Pod> podsOfJob) {
        Conditions conditions = conditions(taskSet);
        Optional<PodProblem> problem =
                podsOfJob.stream().map(PodProblem::of).flatMap(Optional::stream).findFirst();
        Optional<JobCondition> failed = job.flatMap(found -> Optional.ofNullable(found.getStatus()))
                .flatMap(status -> status.getConditions().stream()
                        .filter(condition ->
                                "Failed".equals(condition.getType()) && "True".equals(condition.getStatus()))
                        .findFirst());
        if (failed.isPresent()) {
            conditions.set(
                    VALID,
                    Conditions.UNKNOWN,
                    "IndexingFailed",
                    "Job " + IndexingJob.name(taskSet) + " failed: "
                            + failed.get().getMessage()
                            + "; look at the log of its pods, then delete the Job to try again");
        } else if (problem.isPresent()) {
            conditions.set(
                    VALID,
                    Conditions.UNKNOWN,
                    problem.get().reason(),
                    problem.get().message());
        } else {
            conditions.set(
                    VALID, Conditions.UNKNOWN, "Indexing", "Job " + IndexingJob.name(taskSet) + " reads the tasks");
        }
        return new TaskSetStatus(
                conditions.list(),
                taskSet.getMetadata().getGeneration(),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    private Conditions conditions(TaskSet taskSet) {
        List<Condition> before =
                taskSet.getStatus() == null ? null : taskSet.getStatus().conditions();
        return new Conditions(before, taskSet.getMetadata().getGeneration(), clock);
    }

    private static <R extends HasMetadata> InformerEventSource<R, TaskSet> source(
            EventSourceContext<TaskSet> context, Class<R> kind) {
        return new InformerEventSource<>(
                InformerEventSourceConfiguration.from(kind, TaskSet.class)
                        .withName("taskset-" + kind.getSimpleName())
                        .withLabelSelector(Labels.TASK_SET)
                        .withSecondaryToPrimaryMapper(child -> Set.of(new ResourceID(
                                child.getMetadata().getLabels().get(Labels.TASK_SET),
                                child.getMetadata().getNamespace())))
                        .withWatchAllNamespaces()
                        .build(),
                context);
    }
}
