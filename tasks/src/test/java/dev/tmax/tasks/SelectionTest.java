package dev.tmax.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SelectionTest {
    @TempDir
    Path root;

    @Test
    void aTaskIsTakenWhenEveryListNamesItsLabel() {
        write("a", "domain = \"git\"\ndifficulty = \"easy\"\nlanguage = \"bash\"");
        write("b", "domain = \"git\"\ndifficulty = \"hard\"\nlanguage = \"python\"");
        write("c", "domain = \"sql\"\ndifficulty = \"easy\"\nlanguage = \"python\"");
        write("d", "");

        assertThat(ids(new Selection(Set.of(), Set.of(), Set.of(), Optional.empty())))
                .containsExactly("a", "b", "c", "d");
        assertThat(ids(new Selection(Set.of("git"), Set.of(), Set.of(), Optional.empty())))
                .containsExactly("a", "b");
        assertThat(ids(new Selection(Set.of("git", "sql"), Set.of("easy"), Set.of(), Optional.empty())))
                .containsExactly("a", "c");
        assertThat(ids(new Selection(Set.of("git"), Set.of("easy"), Set.of("bash"), Optional.empty())))
                .containsExactly("a");
    }

    @Test
    void aSelectionThatTakesNothingSaysWhichLabelsThereAre() {
        write("a", "domain = \"git\"");
        write("b", "domain = \"sql\"");

        assertThatThrownBy(() -> ids(new Selection(Set.of("gti"), Set.of(), Set.of(), Optional.empty())))
                .isInstanceOf(UnreadableTaskSetException.class)
                .hasMessageContaining("2 usable tasks")
                .hasMessageContaining("take none")
                .hasMessageContaining("domains git, sql; difficulties (none)");
    }

    @Test
    void thePartsOfASplitShareNothingAndTogetherAreAll() {
        IntStream.range(0, 200).forEach(i -> write("task-" + i, ""));

        var train = ids(part(Split.Part.TRAIN, 25, 0));
        var heldOut = ids(part(Split.Part.HELD_OUT, 25, 0));

        assertThat(train).doesNotContainAnyElementsOf(heldOut);
        assertThat(train.size() + heldOut.size()).isEqualTo(200);
        assertThat(heldOut.size()).isBetween(30, 70);
        assertThat(ids(part(Split.Part.HELD_OUT, 25, 1))).isNotEqualTo(heldOut);
    }

    @Test
    void aTaskKeepsItsPartWhenOthersCome() {
        IntStream.range(0, 40).forEach(i -> write("task-" + i, ""));
        var before = ids(part(Split.Part.HELD_OUT, 50, 7));
        IntStream.range(40, 60).forEach(i -> write("task-" + i, ""));

        assertThat(ids(part(Split.Part.HELD_OUT, 50, 7))).containsAll(before);
    }

    @Test
    void theDigestIsThatOfTheTasksTaken() {
        write("a", "domain = \"git\"");
        String alone = load().digest();
        write("b", "domain = \"sql\"");

        assertThat(load().digest()).isNotEqualTo(alone);
        assertThat(load().select(new Selection(Set.of("git"), Set.of(), Set.of(), Optional.empty()))
                        .digest())
                .isEqualTo(alone);
    }

    private static Selection part(Split.Part part, int percent, long seed) {
        return new Selection(Set.of(), Set.of(), Set.of(), Optional.of(new Split(part, percent, seed)));
    }

    private List<String> ids(Selection selection) {
        return load().select(selection).tasks().stream().map(Task::id).toList();
    }

    private LoadedTaskSet load() {
        return TaskSet.load(root, TaskFormat.AUTO);
    }

    private void write(String name, String metadata) {
        WrittenTask.in(root.resolve(name)).withToml("[metadata]\n" + metadata + "\n");
    }
}
