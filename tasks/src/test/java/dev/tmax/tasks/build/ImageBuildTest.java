package dev.tmax.tasks.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tmax.tasks.Environment;
import dev.tmax.tasks.Task;
import dev.tmax.tasks.TaskFormat;
import dev.tmax.tasks.TaskSet;
import dev.tmax.tasks.WrittenTask;
import dev.tmax.tasks.build.ImageBuild.Result;
import dev.tmax.tasks.trial.NetworkPolicy;
import dev.tmax.tasks.trial.NoHostException;
import dev.tmax.tasks.trial.Trial;
import dev.tmax.tasks.trial.TrialAgent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Images of a static busybox, built by buildah in a store of their own. */
class ImageBuildTest {
    @TempDir
    Path root;

    private Buildah builder;
    private WrittenTask written;

    @BeforeEach
    void writeATask() throws IOException {
        builder = new Buildah(Optional.of(root.resolve("store")));
        written = WrittenTask.in(root.resolve("set/make-it"))
                .with("task.toml", "")
                .with(
                        "environment/Dockerfile",
                        "FROM scratch\nCOPY busybox /bin/sh\nCOPY words /words\nENV GREETING=hello\nWORKDIR /app\n")
                .with("environment/words", "one\n")
                .with(
                        "tests/test.sh",
                        "#!/bin/sh\nr=0; [ \"$(pwd) $GREETING\" = '/app hello' ] && [ -e made ] && r=1\n"
                                + "echo $r >/logs/verifier/reward.txt\n")
                .with("solution/solve.sh", "#!/bin/sh\necho >made\n");
        Path busybox = written.folder().resolve("environment/busybox");
        Files.copy(Path.of("/bin/busybox"), busybox);
        busybox.toFile().setExecutable(true, false);
    }

    @AfterEach
    void close() {
        builder.close();
    }

    private Task task() {
        return TaskSet.load(written.folder(), TaskFormat.AUTO).tasks().getFirst();
    }

    private ImageLock lock() {
        return ImageLock.read(root.resolve("set/tasks.lock.json"));
    }

    private Result build() throws BuildFailedException {
        Environment environment = ImageBuild.environments(task()).get("make-it");
        return new ImageBuild(builder, lock()).build("make-it", environment);
    }

    @Test
    void anImageIsBuiltOnceForTheSameFiles() throws Exception {
        assertThat(build()).isEqualTo(Result.BUILT);
        LockedImage first = lock().images().get("make-it");
        assertThat(first.digest()).matches("sha256:[0-9a-f]{64}");
        assertThat(first.image()).startsWith("localhost/tmax-task/make-it:");
        assertThat(first.network()).isFalse();

        assertThat(build()).isEqualTo(Result.UP_TO_DATE);

        written.with("environment/words", "two\n");
        assertThat(build()).isEqualTo(Result.BUILT);
        assertThat(lock().images().get("make-it").digest()).isNotEqualTo(first.digest());
    }

    @Test
    void trialsRunInTheBuiltImageWithItsVariablesAndFolder() throws Exception {
        build();
        try (BuiltHosts hosts = new BuiltHosts(builder, lock(), root.resolve("state"))) {
            Trial trial = new Trial(hosts, NetworkPolicy.DENY);
            assertThat(trial.run(task(), new TrialAgent.Oracle()).reward()).hasValue(1);
            assertThat(trial.run(task(), new TrialAgent.NoOp()).reward()).hasValue(0);
        }
    }

    @Test
    void aStepOfABuildThatFailsIsQuoted() {
        written.with("environment/Dockerfile", "FROM scratch\nCOPY missing /\n");
        assertThatThrownBy(this::build)
                .isInstanceOf(BuildFailedException.class)
                .hasMessageContaining("ended with status")
                .hasMessageContaining("missing");
        assertThat(lock().images()).isEmpty();
    }

    @Test
    void aTaskThatIsNotBuiltHasNoHost() {
        BuiltHosts hosts = new BuiltHosts(builder, lock(), root.resolve("state"));
        assertThatThrownBy(() -> hosts.of(task().environment()))
                .isInstanceOf(NoHostException.class)
                .hasMessageContaining("environment/Dockerfile is not built: run `tasks build` first");

        written.with("task.toml", "[environment]\ndocker_image = \"localhost/none:1\"\n");
        assertThatThrownBy(() -> hosts.of(task().environment()))
                .isInstanceOf(NoHostException.class)
                .hasMessageContaining("localhost/none:1 is not in the store of buildah")
                .hasMessageContaining("--rootfs");
    }

    @Test
    void aLockThatIsNoneIsNamed() throws IOException {
        Files.writeString(root.resolve("set/tasks.lock.json"), "[1]");
        assertThatThrownBy(this::lock)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("tasks.lock.json: is no record of images")
                .hasMessageContaining("remove it and build again");
    }
}
