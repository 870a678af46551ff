package dev.tmax.e2e.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tmax.api.v1alpha1.TaskSet;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class TaskSetTest extends OperatorTest {

    @Test
    void aGoodSetIsCountedAndItsJobRemoved() {
        stage.apply(Stage.TASKS_YAML);
        stage.judgeTasks("tasks", Stage.GOOD_TASKS);

        TaskSet taskSet = await("is valid", condition -> condition.getStatus().equals("True"));

        assertThat(taskSet.getStatus().tasks()).isEqualTo(500);
        assertThat(taskSet.getStatus().domains()).containsEntry("files", 500);
        assertThat(taskSet.getStatus().balance()).isEqualTo("1.000");
        assertThat(taskSet.getStatus().digest()).isEqualTo("sha256:abc");
        Await.until(
                "the Job is gone",
                Await.SOON,
                () -> stage.client()
                        .resources(Job.class)
                        .inNamespace(stage.namespace())
                        .list()
                        .getItems()
                        .isEmpty());
    }

    @Test
    void theJobReadsTheTasksWhereTheyLie() {
        stage.apply(Stage.TASKS_YAML);

        Pod pod = indexingPod();

        assertThat(pod.getSpec().getVolumes())
                .anySatisfy(
                        volume -> assertThat(volume.getImage().getReference()).isEqualTo("tasks:1"));
        assertThat(pod.getSpec().getContainers().getFirst().getCommand())
                .contains("dev.tmax.tasks.cli.TasksCommand", "index", "/tasks/train", "/dev/termination-log");
        assertThat(pod.getSpec().getSecurityContext().getRunAsNonRoot()).isTrue();
    }

    @Test
    void theJobIsToldWhichTasksAreMeantAndWhereTheBenchmarkLies() {
        stage.apply(Stage.TASKS_YAML + """
                  filter: {domains: [git, sql], languages: [bash]}
                  split: {part: HeldOut, heldOutPercent: 20}
                  contaminationCheck: {source: {image: "bench:1"}, path: tasks}
                """);

        Pod pod = indexingPod();

        assertThat(pod.getSpec().getContainers().getFirst().getCommand())
                .contains("--domain=git", "--domain=sql", "--language=bash")
                .contains("--part=HELD_OUT", "--held-out-percent=20", "--split-seed=0", "--against=/benchmark/tasks");
        assertThat(pod.getSpec().getVolumes())
                .filteredOn(volume -> volume.getImage() != null)
                .extracting(volume -> volume.getImage().getReference())
                .containsExactlyInAnyOrder("tasks:1", "bench:1");
    }

    @Test
    void anEmptySetIsInvalidAndNamesThePath() {
        stage.apply(Stage.TASKS_YAML);
        stage.judgeTasks("tasks", """
                {"format":"Auto","tasks":0,"invalid":0,\
                "firstInvalid":[{"task":"/tasks/train","reason":"no such folder; correct the path"}]}""");

        TaskSet taskSet = await("is invalid", condition -> condition.getStatus().equals("False"));

        assertThat(valid(taskSet).orElseThrow().getMessage()).contains("/tasks/train", "no such folder");
    }

    @Test
    void aTaskWithoutTestsIsNamed() {
        stage.apply(Stage.TASKS_YAML);
        stage.judgeTasks("tasks", """
                {"format":"Harbor","tasks":4,"invalid":1,\
                "firstInvalid":[{"task":"untested","reason":"tests/test.sh is missing; add it"}]}""");

        TaskSet taskSet = await("is invalid", condition -> condition.getStatus().equals("False"));

        assertThat(valid(taskSet).orElseThrow().getMessage())
                .contains("1 of 5 tasks cannot be used", "untested", "tests/test.sh is missing");
        assertThat(taskSet.getStatus().firstInvalid()).hasSize(1);
        assertThat(taskSet.getStatus().tasks()).isEqualTo(4);
    }

    @Test
    void anotherSpecIsReadAgain() {
        stage.applyGoodTasks();
        await("is valid", condition -> condition.getStatus().equals("True"));

        stage.apply(Stage.TASKS_YAML.replace("tasks:1", "tasks:2"));
        stage.judgeTasks("tasks", Stage.GOOD_TASKS.replace("500", "7"));

        Await.until(
                "the new count is there",
                Await.SOON,
                () -> Integer.valueOf(7)
                        .equals(stage.taskSet("tasks").getStatus().tasks()));
    }

    @Test
    void anImageThatCannotBePulledIsNamed() {
        stage.apply(Stage.TASKS_YAML);
        stage.kubelet().waiting(indexingPod(), "ErrImagePull", "failed to pull tasks:1: not found");

        TaskSet taskSet = await("says why", condition -> condition.getReason().equals("ErrImagePull"));

        assertThat(valid(taskSet).orElseThrow().getMessage()).contains("tasks:1");
    }

    private Pod indexingPod() {
        return Await.until(
                        "the indexing pod",
                        Await.SOON,
                        () -> stage.pods("tmax.dev/task-set", "tasks").stream().findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    private TaskSet await(String what, Predicate<Condition> condition) {
        return Await.until(
                "the task set " + what,
                Await.SOON,
                () -> stage.taskSet("tasks"),
                taskSet -> valid(taskSet).filter(condition).isPresent());
    }

    private static Optional<Condition> valid(TaskSet taskSet) {
        return taskSet.getStatus() == null
                ? Optional.empty()
                : taskSet.getStatus().conditions().stream()
                        .filter(condition -> condition.getType().equals("Valid"))
                        .findFirst();
    }
}
