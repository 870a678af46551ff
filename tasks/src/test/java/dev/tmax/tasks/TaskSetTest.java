package dev.tmax.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TaskSetTest {
    @TempDir
    Path root;

    private LoadedTaskSet load() {
        return TaskSet.load(root, TaskFormat.AUTO);
    }

    @Test
    void oneBadTaskDoesNotHideTheOthers() {
        WrittenTask.in(root.resolve("b-good"));
        WrittenTask.in(root.resolve("a-bad")).with("task.toml", "[metadata]\ndescription = \"/a\\s*b/\"\n");
        WrittenTask.in(root.resolve("c-good"));

        LoadedTaskSet set = load();

        assertThat(set.tasks()).extracting(Task::id).containsExactly("b-good", "c-good");
        assertThat(set.invalid()).hasSize(1);
        assertThat(set.invalid().getFirst().name()).isEqualTo("a-bad");
        assertThat(set.invalid().getFirst().reason()).startsWith("task.toml:2:").contains("not valid TOML");
    }

    @Test
    void theFolderOfOneTaskIsATaskSetOfOne() {
        Path folder = WrittenTask.in(root.resolve("only")).folder();

        LoadedTaskSet set = TaskSet.load(folder, TaskFormat.HARBOR);

        assertThat(set.tasks()).extracting(Task::id).containsExactly("only");
        assertThat(set.format()).isEqualTo(TaskFormat.HARBOR);
    }

    @Test
    void anEmptyFolderIsAnErrorThatNamesPathAndRemedy() {
        assertThatThrownBy(this::load)
                .isInstanceOf(UnreadableTaskSetException.class)
                .hasMessageContaining(root.toString())
                .hasMessageContaining("holds no task")
                .hasMessageContaining("put one folder per task into it");
    }

    @Test
    void aMissingFolderIsAnErrorThatNamesPathAndRemedy() {
        assertThatThrownBy(() -> TaskSet.load(root.resolve("none"), TaskFormat.AUTO))
                .isInstanceOf(UnreadableTaskSetException.class)
                .hasMessageContaining("none: does not exist; name a folder of tasks");
    }

    @Test
    void aFolderWithoutTaskTomlIsReported() throws IOException {
        WrittenTask.in(root.resolve("good"));
        Files.createDirectory(root.resolve("stray"));

        assertThat(load().invalid())
                .extracting(InvalidTask::reason)
                .containsExactly("task.toml: is missing; add it, or take the folder out of the task set");
    }

    @Test
    void hiddenFoldersAndPlainFilesBesideTheTasksArePassedOver() throws IOException {
        WrittenTask.in(root.resolve("good"));
        Files.createDirectory(root.resolve(".git"));
        Files.writeString(root.resolve("README.md"), "About these tasks.");

        assertThat(load().tasks()).hasSize(1);
        assertThat(load().invalid()).isEmpty();
    }

    @Test
    void twoTasksOfOneNameAreRefused() {
        WrittenTask.in(root.resolve("first")).withToml("[task]\nname = \"us/same\"\n");
        WrittenTask.in(root.resolve("second")).withToml("[task]\nname = \"us/same\"\n");

        LoadedTaskSet set = load();

        assertThat(set.tasks()).extracting(Task::id).containsExactly("us/same");
        assertThat(set.invalid().getFirst().reason())
                .contains("has the id 'us/same' of the task in first")
                .contains("[task].name");
    }

    @Test
    void aTaskInAnotherFormatThanTheOneAskedForIsReported() {
        WrittenTask.in(root.resolve("harbor"));

        LoadedTaskSet set = TaskSet.load(root, TaskFormat.TERMINAL_BENCH);

        assertThat(set.tasks()).isEmpty();
        assertThat(set.invalid().getFirst().reason()).contains("Harbor, not TerminalBench");
    }

    @Test
    void theDigestChangesWithTheTasksAndNotWithTheirPlace() throws IOException {
        WrittenTask.in(root.resolve("here/one"));
        WrittenTask.in(root.resolve("there/one"));
        String here = TaskSet.load(root.resolve("here"), TaskFormat.AUTO).digest();

        assertThat(TaskSet.load(root.resolve("there"), TaskFormat.AUTO).digest())
                .isEqualTo(here);

        Files.writeString(root.resolve("there/one/tests/test.sh"), "#!/bin/bash\n");
        assertThat(TaskSet.load(root.resolve("there"), TaskFormat.AUTO).digest())
                .isNotEqualTo(here);
    }

    @Test
    void onlyLentVariablesOfTheHostReachATask() {
        WrittenTask.in(root.resolve("asks")).withToml("[environment.env]\nA = \"${PATH}\"\nB = \"${LENT}\"\n");
        Map<String, String> lent = Map.of("LENT", "value");

        assertThat(TaskSet.load(root, TaskFormat.AUTO, lent)
                        .invalid()
                        .getFirst()
                        .reason())
                .contains("environment.env.A = \"${PATH}\"")
                .contains("is not lent to tasks")
                .doesNotContain("environment.env.B");
    }
}
