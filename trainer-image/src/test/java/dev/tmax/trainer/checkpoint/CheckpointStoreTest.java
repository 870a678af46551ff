package dev.tmax.trainer.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tmax.contracts.status.RunStatus;
import dev.tmax.trainer.schedule.Prompt;
import dev.tmax.trainer.schedule.ScheduleState;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointStoreTest {

    @TempDir
    private Path root;

    private Path folder;

    @BeforeEach
    void folder() {
        folder = root.resolve("checkpoints");
    }

    private CheckpointStore open(int keep) throws IOException {
        return new CheckpointStore(folder, keep, Clock.systemUTC());
    }

    private static TrainerState state(int step) {
        return new TrainerState(
                "run", step, new ScheduleState(step * 8L, List.of(new Prompt(3, "a"))), GroupTotals.NONE, List.of(), 0);
    }

    private static CheckpointStore.Unfinished write(CheckpointStore store, int step) throws IOException {
        return store.write(
                state(step),
                step,
                0.5,
                engine -> Files.writeString(engine.resolve("weights"), "weights of " + step),
                Optional.of(export -> Files.writeString(export.resolve("model"), "export of " + step)));
    }

    private static List<Integer> steps(CheckpointStore store) throws IOException {
        return store.snapshots().stream().map(RunStatus.Snapshot::step).toList();
    }

    @Test
    void whatIsWrittenIsReadBack() throws IOException {
        RunStatus.Snapshot written = open(3).finish(write(open(3), 7));

        CheckpointStore.Stored stored = open(3).newest().orElseThrow();

        assertThat(stored.state()).isEqualTo(state(7));
        assertThat(stored.snapshot()).isEqualTo(written);
        assertThat(stored.engine().resolve("weights")).hasContent("weights of 7");
        assertThat(Path.of(written.huggingFace()).resolve("model")).hasContent("export of 7");
        assertThat(written.reward()).isEqualTo(0.5);
    }

    @Test
    void newestIsByNumberAndTheNewestAreKept() throws IOException {
        CheckpointStore store = open(3);
        for (int step = 8; step <= 11; step++) {
            store.finish(write(store, step));
        }

        assertThat(steps(open(3))).containsExactly(9, 10, 11);
        assertThat(open(3).newest().orElseThrow().state().step()).isEqualTo(11);
    }

    @Test
    void aSnapshotNamesTheOneBeforeIt() throws IOException {
        CheckpointStore store = open(3);
        store.finish(write(store, 1));
        open(3).finish(write(open(3), 2));

        assertThat(open(3).snapshots().getLast().parent()).isEqualTo("step-000001");
    }

    @Test
    void aDamagedSnapshotIsPassedOver() throws IOException {
        CheckpointStore store = open(3);
        store.finish(write(store, 1));
        store.finish(write(store, 2));
        Files.writeString(folder.resolve("step-000002/engine/weights"), "weights of ?");

        assertThat(open(3).newest().orElseThrow().state().step()).isEqualTo(1);
    }

    /** Cuts the disk off after each file in the order of writing: what is left is the old snapshot or the new one, whole. */
    @Test
    void afterACrashAtAnyPointTheNewestIsWhole() throws IOException {
        CheckpointStore store = open(1);
        store.finish(write(store, 1));
        CheckpointStore.Unfinished unfinished = write(store, 2);
        assertRecovers(1);
        // Half a file.
        Files.writeString(unfinished.folder().resolve("engine/weights"), "weig");
        assertRecovers(1);
        // A manifest that was being written is not one.
        Files.writeString(unfinished.folder().resolve(".manifest.json.writing"), "{\"format\":");
        assertRecovers(1);
        Files.writeString(unfinished.folder().resolve("manifest.json"), "{\"format\":");
        assertRecovers(1);

        store.finish(write(store, 2));
        assertRecovers(2);
        // Renamed away for deletion, half deleted.
        Files.createDirectories(folder.resolve(".deleting-step-000001/engine"));
        Files.writeString(folder.resolve(".deleting-step-000001/manifest.json"), "{}");
        assertRecovers(2);
    }

    @Test
    void aSnapshotThatLacksOnlyItsNameGetsIt() throws IOException {
        CheckpointStore store = open(2);
        store.finish(write(store, 1));
        Files.move(folder.resolve("step-000001"), folder.resolve(".writing-step-000001"));

        assertRecovers(1);
    }

    private void assertRecovers(int step) throws IOException {
        Path copy = root.resolve("copy");
        copyTree(folder, copy);
        CheckpointStore recovered = new CheckpointStore(copy, 1, Clock.systemUTC());
        CheckpointStore.Stored newest = recovered.newest().orElseThrow();

        assertThat(newest.state()).isEqualTo(state(step));
        assertThat(newest.engine().resolve("weights")).hasContent("weights of " + step);
        try (Stream<Path> left = Files.list(copy)) {
            assertThat(left.map(path -> path.getFileName().toString())).noneMatch(name -> name.startsWith("."));
        }
        Durable.deleteTree(copy);
    }

    private static void copyTree(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path visited, BasicFileAttributes attributes) throws IOException {
                Files.createDirectories(to.resolve(from.relativize(visited)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.copy(file, to.resolve(from.relativize(file)));
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
