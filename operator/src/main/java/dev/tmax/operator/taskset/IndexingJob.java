package dev.tmax.operator.taskset;

import dev.tmax.api.v1alpha1.TaskSet;
import dev.tmax.api.v1alpha1.TaskSetSpec;
import dev.tmax.operator.ChildName;
import dev.tmax.operator.Hash;
import dev.tmax.operator.Labels;
import dev.tmax.operator.run.children.Mounts;
import dev.tmax.operator.run.children.PodTemplates;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The Job that reads a task set where it lies and says in its termination message what is in it. */
final class IndexingJob {

    private static final String TASKS = "/tasks";
    private static final String BENCHMARK = "/benchmark";
    private static final int HASH = 8;
    private static final long DEADLINE_SECONDS = 1800;

    private IndexingJob() {}

    /** Another spec gives another name. */
    static String name(TaskSet taskSet) {
        String hash = Hash.of(Serialization.asJson(taskSet.getSpec()), HASH);
        return ChildName.of(taskSet.getMetadata().getName(), "index-" + hash, ChildName.LABEL);
    }

    static Job render(TaskSet taskSet, String image) {
        TaskSetSpec spec = taskSet.getSpec();
        Map<String, String> labels = Map.of(
                Labels.MANAGED_BY,
                Labels.FIELD_MANAGER,
                Labels.TASK_SET,
                taskSet.getMetadata().getName());
        PodTemplateSpec pod = PodTemplates.pod(
                labels,
                null,
                false,
                spec.indexing(),
                5,
                new ContainerBuilder()
                        .withName("index")
                        .withImage(image)
                        .withImagePullPolicy("IfNotPresent")
                        .withCommand(command(spec))
                        .withEnv(new EnvVar("HOME", "/tmp", null))
                        .withResources(spec.indexing().resources())
                        .withSecurityContext(PodTemplates.containerSecurity())
                        .withVolumeMounts(mounts(spec))
                        .build(),
                volumes(spec));
        pod.getSpec().setRestartPolicy("Never");
        return new JobBuilder()
                .withNewMetadata()
                .withName(name(taskSet))
                .withNamespace(taskSet.getMetadata().getNamespace())
                .withLabels(labels)
                .withOwnerReferences(Labels.ownedBy(taskSet))
                .endMetadata()
                .withNewSpec()
                .withBackoffLimit(3)
                .withActiveDeadlineSeconds(DEADLINE_SECONDS)
                .withTemplate(pod)
                .endSpec()
                .build();
    }

    private static List<String> command(TaskSetSpec spec) {
        List<String> command = new ArrayList<>(List.of(
                "java",
                // It runs for seconds: compiling well would take longer than it saves.
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                "/app/lib/*",
                "dev.tmax.tasks.cli.TasksCommand",
                "index",
                Mounts.below(TASKS, spec.path()),
                "--format",
                format(spec),
                "--json",
                "/dev/termination-log"));
        if (spec.filter() != null) {
            add(command, "--domain", spec.filter().domains());
            add(command, "--difficulty", spec.filter().difficulties());
            add(command, "--language", spec.filter().languages());
        }
        if (spec.split() != null) {
            add(command, "--part", List.of(spec.split().part().name()));
            add(
                    command,
                    "--held-out-percent",
                    List.of(spec.split().heldOutPercent().toString()));
            add(command, "--split-seed", List.of(spec.split().seed().toString()));
        }
        if (spec.contaminationCheck() != null) {
            add(
                    command,
                    "--against",
                    List.of(Mounts.below(BENCHMARK, spec.contaminationCheck().path())));
        }
        return command;
    }

    /** As one word each: a value that begins with a hyphen is still a value. */
    private static void add(List<String> command, String option, List<String> values) {
        if (values != null) {
            values.forEach(value -> command.add(option + "=" + value));
        }
    }

    private static List<VolumeMount> mounts(TaskSetSpec spec) {
        List<VolumeMount> mounts = new ArrayList<>(
                List.of(PodTemplates.mount("tasks", TASKS, true), PodTemplates.mount("tmp", "/tmp", false)));
        if (spec.contaminationCheck() != null) {
            mounts.add(PodTemplates.mount("benchmark", BENCHMARK, true));
        }
        return mounts;
    }

    private static List<Volume> volumes(TaskSetSpec spec) {
        List<Volume> volumes =
                new ArrayList<>(List.of(PodTemplates.tasks("tasks", spec.source()), PodTemplates.scratch("tmp")));
        if (spec.contaminationCheck() != null) {
            volumes.add(
                    PodTemplates.tasks("benchmark", spec.contaminationCheck().source()));
        }
        return volumes;
    }

    private static String format(TaskSetSpec spec) {
        return switch (spec.format()) {
            case HARBOR -> "Harbor";
            case TERMINAL_BENCH -> "TerminalBench";
            case AUTO -> "Auto";
        };
    }
}
