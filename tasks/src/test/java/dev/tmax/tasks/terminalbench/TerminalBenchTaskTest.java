package dev.tmax.tasks.terminalbench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tmax.tasks.InvalidTask;
import dev.tmax.tasks.LoadedTaskSet;
import dev.tmax.tasks.ReadTask;
import dev.tmax.tasks.Task;
import dev.tmax.tasks.TaskFormat;
import dev.tmax.tasks.TaskSet;
import dev.tmax.tasks.WrittenTask;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TerminalBenchTaskTest {
    @TempDir
    Path root;

    private WrittenTerminalBenchTask written;

    @BeforeEach
    void writeAGoodTask() {
        written = WrittenTerminalBenchTask.in(root.resolve("set/make-a-file"));
    }

    private Task task() {
        ReadTask read = TerminalBenchTask.read(written.folder());
        assertThat(read).as("%s", read).isInstanceOf(Task.class);
        return (Task) read;
    }

    private String reason() {
        ReadTask read = TerminalBenchTask.read(written.folder());
        assertThat(read).as("%s", read).isInstanceOf(InvalidTask.class);
        return ((InvalidTask) read).reason();
    }

    private static Map<String, String> content(byte[] tar) throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (TarArchiveInputStream in = new TarArchiveInputStream(new ByteArrayInputStream(tar))) {
            for (TarArchiveEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                files.put(entry.getName(), new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        return files;
    }

    @Test
    void whatIsNotSaidHasTheFormatsDefaults() {
        Task task = task();

        assertThat(task.id()).isEqualTo("make-a-file");
        assertThat(task.format()).isEqualTo(TaskFormat.TERMINAL_BENCH);
        assertThat(task.instruction()).isEqualTo("Create the file.");
        assertThat(task.agent().timeout()).contains(Duration.ofSeconds(360));
        assertThat(task.verifier().timeout()).isEqualTo(Duration.ofSeconds(60));
        assertThat(task.verifier().variables()).containsEntry("TEST_DIR", "/tests");
        assertThat(task.environment().image()).isEmpty();
        assertThat(task.environment().dockerfile()).contains(written.folder().resolve("Dockerfile"));
        assertThat(task.environment().buildContext()).contains(written.folder());
        assertThat(task.hasSolution()).isFalse();
        assertThat(task.demands()).isEmpty();
    }

    @Test
    void everySettingIsRead() {
        written.with("task.yaml", """
            # canary 1234
            instruction: |-
              Do this.
              Then that.
            author_name: somebody
            difficulty: hard
            category: security
            tags: [files, text]
            parser_name: pytest
            max_agent_timeout_sec: 12.5
            max_test_timeout_sec: "30"
            run_tests_in_same_shell: false
            disable_asciinema: true
            unknown_key: {a: 1}
            """).withClient("""
                working_dir: /app
                user: "1000"
                cpus: 1.5
                mem_limit: 2g
                environment:
                  MODE: ${NOT_SET:-plain}
                  PRICE: $$5
                """);

        Task task = task();

        assertThat(task.instruction()).isEqualTo("Do this.\nThen that.");
        assertThat(task.metadata().domain()).contains("security");
        assertThat(task.metadata().difficulty()).contains("hard");
        assertThat(task.metadata().tags()).containsExactly("files", "text");
        assertThat(task.agent().timeout()).contains(Duration.ofMillis(12_500));
        assertThat(task.agent().user()).contains("1000");
        assertThat(task.verifier().timeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(task.environment().workdir()).contains("/app");
        assertThat(task.environment().cpus()).isEqualTo(OptionalDouble.of(1.5));
        assertThat(task.environment().memoryMb()).isEqualTo(OptionalInt.of(2048));
        assertThat(task.environment().variables()).isEqualTo(Map.of("MODE", "plain", "PRICE", "$5"));
    }

    @Test
    void theTestsLieFlatBesideTheScriptThatRunsThem() throws IOException {
        written.with("tests/data/expected.txt", "5");

        assertThat(content(task().testsTar()))
                .containsKeys("test_outputs.py", "data/expected.txt", "run-tests.sh")
                .hasEntrySatisfying(
                        "test.sh",
                        script -> assertThat(script)
                                .startsWith("#!/.tmax/busybox sh\n")
                                .contains("\nparser=pytest\n"));
    }

    @Test
    void theSolutionRunsInBashWhateverItsFirstLineSays() throws IOException {
        written.with("solution.sh", "touch /app/x\n").with("solution.yaml", "- command: rm -rf /app\n");

        assertThat(content(task().steps().getFirst().files().solution().orElseThrow()))
                .containsEntry("solution.sh", "touch /app/x\n")
                .containsEntry("solve.sh", "#!/bin/bash\nexec bash /solution/solution.sh\n");
    }

    @Test
    void typedCommandsBecomeOneScript() throws IOException {
        written.with("solution.yaml", """
            - command: cd /app
            - command: python3 -m http.server 8000 &
              min_timeout_sec: 2
              block: false
              append_enter: true
            - command: |-
                cat <<'END' >a
                text
                END
              max_timeout_sec: 20
              block: true
            """);

        assertThat(content(task().steps().getFirst().files().solution().orElseThrow())
                        .get("solution.sh"))
                .isEqualTo("""
                    #!/bin/bash
                    cd /app
                    python3 -m http.server 8000 &
                    sleep 2.000
                    cat <<'END' >a
                    text
                    END
                    """);
    }

    @Test
    void keysTypedIntoAProgramCannotBeMapped() {
        written.with("solution.yaml", "- command: vim a\n- command: ':wq'\n  append_enter: false\n");
        assertThat(reason())
                .startsWith("solution.yaml:3:17: [1].append_enter = false: keys that are typed into a running program")
                .contains("write the solution as solution.sh");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "run_tests_in_same_shell: true | task.yaml:3:26: run_tests_in_same_shell = true: tests in the agent's"
                        + " own",
                "parser_name: junit | task.yaml:3:14: parser_name = \"junit\": is unknown; write one of pytest,"
                        + " swebench",
                "max_agent_timeout_sec: -1 | task.yaml:3:24: max_agent_timeout_sec = -1: is not a finite number",
                "max_test_timeout_sec: .inf | max_test_timeout_sec = .inf: is not a finite number",
                "disable: [1 | is not valid YAML",
                "difficulty: easy | difficulty = \"easy\": is there twice; keep one of them",
            })
    void settingsThatCannotBeUsedAreNamedWithTheirPlace(String line, String reason) {
        written.with("task.yaml", "instruction: Do it.\ndifficulty: easy\n" + line + "\n");
        assertThat(reason()).contains(reason);
    }

    @Test
    void aDifficultyOfItsOwnIsRefused() {
        written.with("task.yaml", "instruction: Do it.\ndifficulty: extreme\n");
        assertThat(reason())
                .isEqualTo("task.yaml:2:13: difficulty = \"extreme\": is not a difficulty;"
                        + " write easy, medium, hard or unknown");
    }

    @Test
    void aTaskWithoutAnInstructionIsAnError() {
        written.with("task.yaml", "difficulty: easy\n");
        assertThat(reason())
                .isEqualTo("task.yaml:1:1: instruction: is missing or empty;"
                        + " write there what the agent is asked to do");
    }

    @ParameterizedTest
    @ValueSource(strings = {"swebench", "sweperf", "mlebench", "swelancer"})
    void theOtherParsersAreKnown(String parser) throws IOException {
        written.with("task.yaml", "instruction: Do it.\ndifficulty: easy\nparser_name: " + parser + "\n");
        assertThat(content(task().testsTar()).get("test.sh")).contains("\nparser=" + parser + "\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "privileged: true | services.client.privileged = true: this setting of compose is not supported",
                "network_mode: host | services.client.network_mode = \"host\": this setting of compose",
                "volumes: ['./data:/data'] | services.client.volumes = […]: the volume './data:/data' is not supported",
                "environment: [TOKEN] | 'TOKEN' takes a variable of the host, which is not lent to tasks; write TOKEN=",
                "working_dir: ${HOME} | refers to the variable HOME of the host",
                "mem_limit: lots | services.client.mem_limit = \"lots\": is not a size",
            })
    void whatComposeAsksForBeyondOneContainerIsReportedByName(String line, String reason) {
        written.withClient(line);
        assertThat(reason()).contains("docker-compose.yaml:").contains(reason);
    }

    @Test
    void moreServicesAreReportedByName() {
        written.with("docker-compose.yaml", "services:\n  client:\n    image: debian\n  db:\n    image: postgres\n");
        assertThat(reason())
                .startsWith("docker-compose.yaml:5:5: services.db = {…}: environments of several containers");
    }

    @Test
    void theAgentsServiceIsCalledClient() {
        written.with("docker-compose.yaml", "services:\n  main:\n    image: debian\n");
        assertThat(reason()).contains("services.client: is missing; name the service that the agent works in client");
    }

    @Test
    void aDockerfileMayLieElsewhereInTheTask() {
        written.withClient("")
                .with(
                        "docker-compose.yaml",
                        "services:\n  client:\n    build:\n      context: ./docker\n      dockerfile: Client\n")
                .with("docker/Client", "FROM debian\n");
        assertThat(task().environment().dockerfile()).contains(written.folder().resolve("docker/Client"));
        assertThat(task().environment().buildContext())
                .contains(written.folder().resolve("docker"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "build: nowhere | there is no file nowhere/Dockerfile",
                "build: ../.. | leads out of the task",
                "build: {context: ., args: {A: 1}} | services.client.build.args = {…}: this setting of a build",
                "tty: true | services.client.build: is missing, and there is no image",
            })
    void aBuildThatCannotBeDoneIsAnError(String line, String reason) {
        written.with("docker-compose.yaml", "services:\n  client:\n    " + line + "\n");
        assertThat(reason()).contains(reason);
    }

    @ParameterizedTest
    @ValueSource(strings = {"docker-compose.yaml", "run-tests.sh"})
    void everyFileThatIsMissingIsNamed(String file) {
        written.without(file);
        assertThat(reason()).startsWith(file + ": is missing");
    }

    @Test
    void carriageReturnsInScriptsAreNamedWithTheirLine() {
        written.with("run-tests.sh", "#!/bin/bash\npytest\r\n");
        assertThat(reason()).startsWith("run-tests.sh: has a carriage return at the end of line 2");
    }

    @Test
    void anImageThatIsNotBuiltIsUsedAsItIs() {
        written.with("docker-compose.yaml", "services:\n  client:\n    image: ghcr.io/somebody/task:1\n");
        assertThat(task().environment().image()).contains("ghcr.io/somebody/task:1");
        assertThat(task().environment().dockerfile()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"task.yaml", "run-tests.sh", "tests/test_outputs.py", "solution.sh", "Dockerfile"})
    void theDigestChangesWithEveryPart(String file) {
        written.with("solution.sh", "true\n");
        String before = task().digest();
        written.with(file, file.equals("task.yaml") ? "instruction: Other.\ndifficulty: easy\n" : "other\n");
        assertThat(task().digest()).isNotEqualTo(before);
    }

    @Test
    void aSetMayHoldBothFormats() {
        WrittenTask.in(root.resolve("set/harbor"));

        LoadedTaskSet set = TaskSet.load(root.resolve("set"), TaskFormat.AUTO);

        assertThat(set.tasks()).extracting(Task::id).containsExactly("harbor", "make-a-file");
        assertThat(set.format()).isEqualTo(TaskFormat.AUTO);
        assertThat(TaskSet.load(root.resolve("set/make-a-file"), TaskFormat.TERMINAL_BENCH)
                        .tasks())
                .hasSize(1);
    }
}
