package dev.tmax.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tmax.sandboxes.RootFileSystems;
import dev.tmax.tasks.trial.FolderHosts;
import dev.tmax.tasks.trial.NetworkPolicy;
import dev.tmax.tasks.trial.TaskCheck;
import dev.tmax.tasks.trial.TaskCheck.Verdict;
import dev.tmax.tasks.trial.Trial;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The tasks in {@code examples/tasks}; those that need more than Debian's essential programs are run by its check.sh. */
class ExampleTasksTest {
    private static final Path EXAMPLES = Path.of("../examples/tasks");

    private static FolderHosts hosts;

    @BeforeAll
    static void open(@TempDir Path state) throws IOException {
        hosts = FolderHosts.open(RootFileSystems.DEBIAN.folder(), state, Duration.ofSeconds(2));
    }

    @AfterAll
    static void close() {
        hosts.close();
    }

    private static LoadedTaskSet harbor() {
        return TaskSet.load(EXAMPLES.resolve("harbor"), TaskFormat.HARBOR);
    }

    static Stream<Task> ofPlainDebian() {
        return harbor().tasks().stream()
                .filter(task ->
                        task.environment().image().equals(Optional.of("docker.io/library/debian:bookworm-slim")));
    }

    @Test
    void allCanBeReadAndHaveASolution() {
        LoadedTaskSet terminalBench = TaskSet.load(EXAMPLES.resolve("terminal-bench"), TaskFormat.TERMINAL_BENCH);

        assertThat(harbor().invalid()).isEmpty();
        assertThat(terminalBench.invalid()).isEmpty();
        assertThat(harbor().tasks()).hasSize(15).allMatch(Task::hasSolution);
        assertThat(harbor().tasks()).filteredOn(task -> task.steps().size() > 1).hasSize(2);
        assertThat(terminalBench.tasks()).hasSize(6).allMatch(Task::hasSolution);
        assertThat(ofPlainDebian()).hasSize(6);
    }

    @ParameterizedTest
    @MethodSource("ofPlainDebian")
    void theSolutionIsRewardedAndDoingNothingIsNot(Task task) throws InterruptedException {
        TaskCheck check = TaskCheck.of(task, new Trial(hosts, NetworkPolicy.DENY));

        assertThat(check.verdict()).as("%s", check).isEqualTo(Verdict.USABLE);
        assertThat(check.noOp()).hasValue(0);
    }
}
