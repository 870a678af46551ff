package dev.tmax.tasks.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tmax.sandboxes.RootFileSystems;
import dev.tmax.tasks.WrittenTask;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class TasksCommandTest {
    @TempDir
    Path root;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int tasks(String... arguments) {
        CommandLine command = TasksCommand.commandLine();
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(err, true));
        return command.execute(arguments);
    }

    private Path set() {
        return root.resolve("set");
    }

    private WrittenTask task(String name) {
        return WrittenTask.in(set().resolve(name));
    }

    private JsonNode index(String... options) throws IOException {
        Path file = root.resolve("index.json");
        assertThat(tasks(Stream.concat(
                                Stream.of("index", set().toString(), "--json", file.toString()), Stream.of(options))
                        .toArray(String[]::new)))
                .isZero();
        assertThat(Files.size(file)).isLessThanOrEqualTo(4096);
        return new ObjectMapper().readTree(file.toFile());
    }

    @Test
    void validateSucceedsOnlyWhereAllTasksCanBeUsed() {
        task("good");
        assertThat(tasks("validate", set().toString())).isZero();

        task("bad").without("tests/test.sh");
        assertThat(tasks("validate", set().toString())).isEqualTo(1);
        assertThat(out.toString())
                .contains(set().resolve("bad").toString())
                .contains("tests/test.sh: is missing")
                .contains("1 tasks can be used (Harbor)")
                .contains("1 cannot");
    }

    @Test
    void validateWritesItsResultAsJson() throws IOException {
        task("bad").without("tests/test.sh");
        Path file = root.resolve("result.json");

        tasks("validate", set().toString(), "--json", file.toString());

        JsonNode result = new ObjectMapper().readTree(file.toFile());
        assertThat(result.at("/tasks").asInt()).isZero();
        assertThat(result.at("/invalid/0/task").asText()).isEqualTo("bad");
        assertThat(result.at("/invalid/0/reason").asText()).contains("tests/test.sh");
    }

    @Test
    void anEmptyTaskSetIsAnErrorThatNamesPathAndRemedy() throws IOException {
        Files.createDirectory(set());

        assertThat(tasks("validate", set().toString())).isEqualTo(1);
        assertThat(err.toString())
                .startsWith("tasks: " + set() + ": holds no task; put one folder per task into it")
                .doesNotContain("Exception");
    }

    @Test
    void theIndexOfAGoodSetSumsItUp() throws IOException {
        task("a").withToml("[metadata]\ndomain = \"debugging\"\n").with("instruction.md", "Mend it.");
        task("b").withToml("[metadata]\ndomain = \"debugging\"\n").with("instruction.md", "Mend it.");

        JsonNode index = index();

        assertThat(index.at("/format").asText()).isEqualTo("Harbor");
        assertThat(index.at("/tasks").asInt()).isEqualTo(2);
        assertThat(index.at("/invalid").asInt()).isZero();
        assertThat(index.at("/firstInvalid")).isEmpty();
        assertThat(index.at("/domains/debugging").asInt()).isEqualTo(2);
        assertThat(index.at("/balance").asDouble()).isEqualTo(1.0);
        assertThat(index.at("/duplicates").asInt()).isEqualTo(1);
        assertThat(index.at("/digest").asText()).hasSize(64);
    }

    @Test
    void theIndexCountsWhatFilterAndSplitTake() throws IOException {
        for (int i = 0; i < 40; i++) {
            task("git" + i).withToml("[metadata]\ndomain = \"git\"\n");
            task("sql" + i).withToml("[metadata]\ndomain = \"sql\"\n");
        }

        assertThat(index("--domain=git").at("/tasks").asInt()).isEqualTo(40);
        int train = index("--domain=git", "--part=TRAIN", "--held-out-percent=25", "--split-seed=3")
                .at("/tasks")
                .asInt();
        int heldOut = index("--domain=git", "--part=HELD_OUT", "--held-out-percent=25", "--split-seed=3")
                .at("/tasks")
                .asInt();
        assertThat(train).isGreaterThan(heldOut).isLessThan(40);
        assertThat(train + heldOut).isEqualTo(40);
        JsonNode none = index("--domain=perl");
        assertThat(none.at("/tasks").asInt()).isZero();
        assertThat(none.at("/firstInvalid/0/reason").asText()).contains("take none", "domains git, sql");
    }

    @Test
    void theIndexNamesTheFirstFiveUnusableTasksAndFitsWhateverTheySay() throws IOException {
        for (int i = 0; i < 30; i++) {
            task("good" + i).withToml("[metadata]\ndomain = \"" + "\u00e9".repeat(150) + i + "\"\n");
            task("bad" + i).withToml("[agent]\nuser = \"" + "\ud83d\ude00".repeat(400) + "\"\ntimeout_sec = -1\n");
        }

        JsonNode index = index();

        assertThat(index.at("/tasks").asInt()).isEqualTo(30);
        assertThat(index.at("/invalid").asInt()).isEqualTo(30);
        assertThat(index.at("/firstInvalid")).hasSize(5);
        assertThat(index.at("/firstInvalid/0/task").asText()).isEqualTo("bad0");
        assertThat(index.at("/firstInvalid/0/reason").asText())
                .contains("task.toml")
                .endsWith("…");
    }

    @Test
    void theIndexOfAnEmptySetSaysWhy() throws IOException {
        Files.createDirectory(set());

        JsonNode index = index();

        assertThat(index.at("/tasks").asInt()).isZero();
        assertThat(index.at("/firstInvalid/0/task").asText()).isEqualTo(set().toString());
        assertThat(index.at("/firstInvalid/0/reason").asText()).contains("holds no task; put one folder per task");
    }

    @Test
    void statsTellCountsDuplicatesAndOverlap() {
        String words = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen";
        task("a")
                .withToml("[metadata]\ndomain = \"debugging\"\ntask_complexity = \"short\"\n")
                .with("instruction.md", words);
        WrittenTask.in(root.resolve("reference/r")).with("instruction.md", words);

        assertThat(tasks(
                        "stats",
                        set().toString(),
                        "--against",
                        root.resolve("reference").toString()))
                .isZero();

        assertThat(out.toString())
                .contains("1 tasks (Harbor), 0 unusable")
                .contains("domain: 1 labels, balance 1.000")
                .contains("exact duplicates: 0 groups")
                .contains("100.0%  a");
    }

    @Test
    void statsAsJsonHoldTheSame() throws IOException {
        task("a").withToml("[metadata]\ndomain = \"debugging\"\n");

        tasks("stats", set().toString(), "--json");

        JsonNode report = new ObjectMapper().readTree(out.toString());
        assertThat(report.at("/tasks").asInt()).isEqualTo(1);
        assertThat(report.at("/axes/domain/counts/debugging").asInt()).isEqualTo(1);
        assertThat(report.at("/withoutSolution/0").asText()).isEqualTo("a");
    }

    @Test
    void anUnknownFormatIsRefusedWithTheOnesThatThereAre() {
        task("a");
        assertThat(tasks("validate", set().toString(), "--format", "Yaml")).isEqualTo(2);
        assertThat(err.toString()).contains("'Yaml' is no format; write Harbor, TerminalBench, Auto");
    }

    private String rootFileSystem() {
        return RootFileSystems.DEBIAN.folder().toString();
    }

    private void solvedTask(String name) {
        task(name)
                .with("tests/test.sh", "#!/bin/bash\n[ -e /made ]; echo $((1 - $?)) >/logs/verifier/reward.txt\n")
                .with("solution/solve.sh", "#!/bin/bash\ntouch /made\n");
    }

    @Test
    void checkTellsUsableTasksFromOthersAndWhy() throws IOException {
        solvedTask("good");
        assertThat(tasks("check", set().toString(), "--rootfs", rootFileSystem()))
                .isZero();
        assertThat(out.toString()).contains("usable    good").contains("       1  usable");

        solvedTask("lazy");
        task("lazy").with("tests/test.sh", "#!/bin/bash\necho 1 >/logs/verifier/reward.txt\n");
        task("bad").without("tests/test.sh");
        Path file = root.resolve("checks.json");

        assertThat(tasks("check", set().toString(), "--rootfs", rootFileSystem(), "--json", file.toString()))
                .isEqualTo(1);

        assertThat(out.toString())
                .contains("unusable  bad: tests/test.sh: is missing")
                .contains("unusable  lazy: an attempt that does nothing gets the whole reward");
        JsonNode checks = new ObjectMapper().readTree(file.toFile());
        assertThat(checks).hasSize(3);
        assertThat(checks.at("/1/task").asText()).isEqualTo("good");
        assertThat(checks.at("/1/oracle").asDouble()).isEqualTo(1);
        assertThat(checks.at("/1/noOp").asDouble()).isZero();
        assertThat(checks.at("/2/verdict").asText()).isEqualTo("unusable");
    }

    @Test
    void runSaysWhatTheTestsMadeOfAnAgent() throws IOException {
        solvedTask("a");
        Path script = Files.writeString(root.resolve("commands"), "touch /made; exit 3\n");

        assertThat(tasks("run", set().toString(), "--rootfs", rootFileSystem(), "--agent", "noop"))
                .isZero();
        assertThat(out.toString()).contains("a: reward 0.0 (");
        assertThat(tasks(
                        "run",
                        set().resolve("a").toString(),
                        "--rootfs",
                        rootFileSystem(),
                        "--agent",
                        "script",
                        "--script",
                        script.toString()))
                .isZero();
        assertThat(out.toString()).contains("a: reward 1.0 (").contains("agent: exit status 3");
    }

    @Test
    void anAgentOfCommandsNeedsThem() {
        solvedTask("a");
        assertThat(tasks("run", set().toString(), "--rootfs", rootFileSystem(), "--agent", "script"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--agent script needs the commands: --script FILE");
    }

    @Test
    void theHelpShowsTheWayFromFilesToTraining() {
        assertThat(tasks("--help")).isZero();
        assertThat(out.toString())
                .contains("tasks validate DIR", "tasks build DIR", "tasks check DIR", "tasks run DIR");
    }
}
