package dev.tmax.tasks.harbor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tmax.tasks.InvalidTask;
import dev.tmax.tasks.Network;
import dev.tmax.tasks.ReadTask;
import dev.tmax.tasks.Task;
import dev.tmax.tasks.Verifier;
import dev.tmax.tasks.WrittenTask;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HarborTaskTest {
    @TempDir
    Path root;

    private WrittenTask written;

    @BeforeEach
    void writeAGoodTask() {
        written = WrittenTask.in(root.resolve("task"));
    }

    private Task task() {
        ReadTask read = HarborTask.read(written.folder(), Map.of());
        assertThat(read).as("%s", read).isInstanceOf(Task.class);
        return (Task) read;
    }

    private String reason() {
        ReadTask read = HarborTask.read(written.folder(), Map.of());
        assertThat(read).as("%s", read).isInstanceOf(InvalidTask.class);
        return ((InvalidTask) read).reason();
    }

    @Test
    void whatIsNotSaidHasTheFormatsDefaults() {
        Task task = task();

        assertThat(task.agent().timeout()).isEmpty();
        assertThat(task.verifier().timeout()).isEqualTo(Duration.ofSeconds(600));
        assertThat(task.verifier().mode()).isEqualTo(Verifier.Mode.AUTO);
        assertThat(task.environment().network()).isEqualTo(new Network.Public());
        assertThat(task.environment().startTimeout()).isEqualTo(Duration.ofSeconds(600));
        assertThat(task.environment().files()).isEmpty();
        assertThat(task.steps().getFirst().files().solution()).isEmpty();
    }

    @Test
    void everySettingIsRead() {
        written.with("task.toml", """
                schema_version = "1.1"
                [task]
                name = "us/count-lines"
                keywords = ["wc"]
                [metadata]
                domain = "data_processing"
                difficulty = "easy"
                tags = ["text"]
                [agent]
                timeout_sec = 1.5
                user = 1000
                [verifier]
                timeout_sec = 30
                user = "root"
                environment_mode = "shared"
                env = { MODE = "${NOT_LENT:-strict}" }
                [solution]
                env = { A = "b" }
                [environment]
                docker_image = "docker.io/library/debian:bookworm-slim"
                workdir = "/work"
                cpus = 0.5
                memory_mb = 2048
                storage_mb = 100
                build_timeout_sec = 60
                network_mode = "allowlist"
                allowed_hosts = ["PyPI.org.", "*.example.com", "10.0.0.0/8", "::1"]
                env = { LANG = "C.UTF-8" }
                """);

        Task task = task();

        assertThat(task.id()).isEqualTo("us/count-lines");
        assertThat(task.metadata().domain()).contains("data_processing");
        assertThat(task.metadata().difficulty()).contains("easy");
        assertThat(task.metadata().tags()).containsExactly("text", "wc");
        assertThat(task.agent().timeout()).contains(Duration.ofMillis(1500));
        assertThat(task.agent().user()).contains("1000");
        assertThat(task.verifier().timeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(task.verifier().user()).contains("root");
        assertThat(task.verifier().mode()).isEqualTo(Verifier.Mode.SHARED);
        assertThat(task.verifier().variables()).containsExactly(Map.entry("MODE", "strict"));
        assertThat(task.solutionVariables()).containsExactly(Map.entry("A", "b"));
        assertThat(task.environment().image()).contains("docker.io/library/debian:bookworm-slim");
        assertThat(task.environment().workdir()).contains("/work");
        assertThat(task.environment().cpus()).isEqualTo(OptionalDouble.of(0.5));
        assertThat(task.environment().memoryMb()).isEqualTo(OptionalInt.of(2048));
        assertThat(task.environment().storageMb()).isEqualTo(OptionalInt.of(100));
        assertThat(task.environment().startTimeout()).isEqualTo(Duration.ofSeconds(60));
        assertThat(task.environment().variables()).containsExactly(Map.entry("LANG", "C.UTF-8"));
        assertThat(task.environment().network())
                .isEqualTo(new Network.AllowList(List.of("pypi.org", "*.example.com", "10.0.0.0/8", "::1")));
    }

    @Test
    void unknownKeysAndTablesAreIgnored() {
        written.withToml("dependencies = [1]\n[elsewhere]\nx = 1\n");
        assertThat(task().id()).isEqualTo("task");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.0", "1.1", "1.3", "1.4", "anything"})
    void everySchemaVersionIsReadAlike(String version) {
        written.with("task.toml", "schema_version = \"" + version + "\"\n[environment]\ndocker_image = \"debian\"\n");
        assertThat(task().id()).isEqualTo("task");
    }

    @Test
    void aVersionThatIsANumberIsAnError() {
        written.with("task.toml", "version = 1.0\n[environment]\ndocker_image = \"debian\"\n");
        assertThat(reason()).isEqualTo("task.toml:1:1: version = 1.0: is not a string; put it in double quotes");
    }

    @Test
    void carriageReturnsInTaskTomlAreFine() {
        written.with("task.toml", "[environment]\r\ndocker_image = \"debian\"\r\n");
        assertThat(task().environment().image()).contains("debian");
    }

    @Test
    void aByteOrderMarkIsAnError() {
        written.with("task.toml", "\uFEFF[environment]\ndocker_image = \"debian\"\n");
        assertThat(reason()).isEqualTo("task.toml: begins with a byte order mark; save it as UTF-8 without one");
    }

    @Test
    void textThatIsNotUtf8IsAnError() throws IOException {
        Files.write(written.folder().resolve("instruction.md"), "caf\u00e9".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(reason()).isEqualTo("instruction.md: is not UTF-8; save it as UTF-8");
    }

    @Test
    void aDuplicateKeyIsAnErrorWithItsPlace() {
        written.withToml("cpus = 1\ncpus = 2\n");
        assertThat(reason()).startsWith("task.toml:4:1: is not valid TOML:").contains("cpus");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "nan", "inf", "true", "\"soon\"", "[1]"})
    void aTimeoutMustBeAFiniteNumberAboveZero(String value) {
        written.withToml("[agent]\ntimeout_sec = " + value + "\n");
        assertThat(reason())
                .startsWith("task.toml:4:1: agent.timeout_sec = ")
                .contains("is not a finite number above 0; write a number");
    }

    @Test
    void aTimeoutInQuotesIsReadAsTheFormatsOwnLoaderDoes() {
        written.withToml("[agent]\ntimeout_sec = \"120\"\n");
        assertThat(task().agent().timeout()).contains(Duration.ofSeconds(120));
    }

    @Test
    void negativeSizesAreRefused() {
        written.withToml("memory_mb = -5\nstorage_mb = 1.5\n");
        assertThat(reason())
                .contains("environment.memory_mb = -5: is not a finite number above 0")
                .contains("environment.storage_mb = 1.5: is not a whole number");
    }

    @ParameterizedTest
    @CsvSource({"2G,2048", "512M,512", "2048K,2"})
    void theOldSizesAreRead(String old, int mib) {
        written.withToml("memory = \"" + old + "\"\n");
        assertThat(task().environment().memoryMb()).isEqualTo(OptionalInt.of(mib));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"2GB\"", "\"2Gi\"", "\"two\"", "2048"})
    void otherOldSizesAreErrorsAndNotDroppedInSilence(String old) {
        written.withToml("memory = " + old + "\n");
        assertThat(reason()).contains("environment.memory = ").contains("write memory_mb = 2048 instead");
    }

    @Test
    void anOldAndANewSizeTogetherAreAnError() {
        written.withToml("memory = \"2G\"\nmemory_mb = 2048\n");
        assertThat(reason()).contains("environment.memory = \"2G\": is given besides memory_mb; keep only memory_mb");
    }

    @Test
    void variablesMustBeStrings() {
        written.withToml("[verifier.env]\nRETRIES = 3\n");
        assertThat(reason()).contains("verifier.env.RETRIES = 3: is not a string; put it in double quotes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"noslash", "us/t\u00e4sk", "us/a..b", "/x", "us/", "us/-x", "a/b/c"})
    void aTaskNameIsOrganisationAndNameInAscii(String name) {
        written.withToml("[task]\nname = \"" + name + "\"\n");
        assertThat(reason()).contains("task.name = \"" + name + "\": is no task name");
    }

    @Test
    void aTaskTableWithoutANameIsAnError() {
        written.withToml("[task]\nversion = \"1\"\n");
        assertThat(reason()).contains("task.name: is missing; write name = \"organisation/task\"");
    }

    @Test
    void everythingThatIsWrongIsReportedAtOnce() {
        written.withToml("cpus = 0\n[agent]\ntimeout_sec = 0\n")
                .without("tests/test.sh")
                .without("instruction.md");
        assertThat(reason().lines()).hasSize(4);
    }

    @Test
    void aTaskWithoutTestsIsAnErrorThatNamesFileAndRemedy() {
        written.without("tests/test.sh");
        assertThat(reason())
                .startsWith("tests/test.sh: is missing: there are no tests")
                .contains("/logs/verifier/reward.txt");
    }

    @Test
    void aTestScriptThatCannotBeStartedIsAnError() {
        written.with("tests/test.sh", "#!/bin/bash\r\necho 1\r\n");
        assertThat(reason()).contains("tests/test.sh: has a carriage return at the end of its first line");
    }

    @Test
    void aTaskWithNothingToRunIsAnError() {
        written.with("task.toml", "");
        assertThat(reason()).startsWith("task.toml: environment.docker_image: is missing");
    }

    @Test
    void aDockerfileStandsForAnImage() {
        written.with("task.toml", "").with("environment/Dockerfile", "FROM debian\n");
        assertThat(task().environment().image()).isEmpty();
        assertThat(task().environment().dockerfile()).isPresent();
    }

    @Test
    void filesBesideAnImageAreForTheWorkingDirectory() {
        written.with("environment/notes.txt", "hello\n");
        assertThat(task().environment().files()).contains(written.folder().resolve("environment"));
    }

    @Test
    void filesBesideADockerfileAreForItsBuild() {
        written.with("environment/Dockerfile", "FROM debian\n").with("environment/notes.txt", "hello\n");
        assertThat(task().environment().image()).contains("debian");
        assertThat(task().environment().files()).isEmpty();
    }

    @Test
    void canaryCommentsAreNotPartOfTheInstruction() {
        written.with("instruction.md", "<!-- canary 1234 -->\n# CANARY: do not train\n\n# Title\nDo it.\n");
        assertThat(task().instruction()).isEqualTo("# Title\nDo it.");
    }

    @Test
    void aCanaryFurtherDownStays() {
        written.with("instruction.md", "Do it.\n# canary bird\n");
        assertThat(task().instruction()).isEqualTo("Do it.\n# canary bird\n");
    }

    @Test
    void anEmptyInstructionIsAnError() {
        written.with("instruction.md", "# canary\n\n");
        assertThat(reason()).contains("instruction.md: is empty");
    }

    @ParameterizedTest
    @CsvSource({"allow_internet = false,Denied", "allow_internet = true,Public", "network_mode = \"no-network\",Denied"
    })
    void theNetworkCanBeDenied(String toml, String kind) {
        written.withToml(toml + "\n");
        assertThat(task().environment().network().getClass().getSimpleName()).isEqualTo(kind);
    }

    @Test
    void theNewNetworkKeyWinsOverTheOld() {
        written.withToml("allow_internet = true\nnetwork_mode = \"no-network\"\n");
        assertThat(task().environment().network()).isEqualTo(new Network.Denied());
    }

    @Test
    void anEmptyAllowListAllowsNothing() {
        written.withToml("network_mode = \"allowlist\"\n");
        assertThat(task().environment().network()).isEqualTo(new Network.AllowList(List.of()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://pypi.org",
                "pypi.org:443",
                "pypi.org/simple",
                "a_b.org",
                "*",
                "10.0.0.1/8",
                "300.1.1.1",
                "10.0.0.0/33",
                "-a.org",
                ""
            })
    void anEntryOfTheAllowListMustBeAHost(String host) {
        written.withToml("network_mode = \"allowlist\"\nallowed_hosts = [\"" + host + "\"]\n");
        assertThat(reason()).contains("environment.allowed_hosts = ").contains("is no host");
    }

    @Test
    void hostsWithoutAnAllowListAreAnError() {
        written.withToml("allowed_hosts = [\"pypi.org\"]\n");
        assertThat(reason()).contains("has no effect unless network_mode is allowlist");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gpus = 1 | environment.gpus",
                "os = \"Windows\" | environment.os",
                "mcp_servers = [{name = \"x\"}] | environment.mcp_servers",
                "tpu = {type = \"v5\"} | environment.tpu",
                "gpu_types = [\"H200\"] | environment.gpu_types",
                "[verifier.environment]\\ngpus = 1 | verifier.environment.gpus",
                "[[steps]]\\nname = \"one\"\\n[steps.verifier.environment]\\nos = \"windows\" | steps[0].verifier.environment.os",
                "[[verifier.collect]]\\ncommand = \"true\"\\nservice = \"db\" | verifier.collect[0].service",
            })
    void whatCannotBeRunIsReportedByName(String toml, String key) {
        written.withToml(toml.replace("\\n", "\n") + "\n");
        assertThat(reason()).contains(" " + key + " = ").contains("support");
    }

    @Test
    void severalContainersAreReportedByName() {
        written.with("environment/docker-compose.yaml", "services: {}\n");
        assertThat(reason()).contains("environment/docker-compose.yaml: environments of several containers");
    }

    @Test
    void noGpusAreFine() {
        written.withToml("gpus = 0\nos = \"Linux\"\n");
        assertThat(task().id()).isEqualTo("task");
    }

    @Test
    void aTestScriptThatIsLeftOutIsAnError() {
        written.with("tests/.harborignore", "*.sh\n");
        assertThat(reason())
                .isEqualTo(
                        "tests/.harborignore: leaves out test.sh, which is needed; add the line !/test.sh at its end");
    }

    @Test
    void linksOutOfTheTaskAreRefused() throws IOException {
        Files.writeString(root.resolve("outside"), "not of this task");
        written.withLink("tests/taken", "../../outside").withLink("solution/self", "../..");
        assertThat(reason())
                .contains("tests/taken: is a link out of the task")
                .contains("solution/self: is a link out of the task");
    }

    @Test
    void linksInACircleAreRefused() {
        written.withLink("tests/more/up", "..");
        assertThat(reason()).contains("tests/more/up: is a link to a folder that it lies in; remove it");
    }

    @Test
    void linksToNothingAreRefused() {
        written.withLink("tests/gone", "nothing");
        assertThat(reason()).contains("tests/gone: is a link to nothing");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"instruction.md", "tests/test.sh", "environment/notes.txt", "solution/solve.sh", "task.toml"})
    void theDigestChangesWithEveryPart(String file) {
        written.with("environment/notes.txt", "a\n").with("solution/solve.sh", "#!/bin/bash\n");
        String before = task().digest();

        written.with(file, "task.toml".equals(file) ? "[environment]\ndocker_image = \"other\"\n" : "other\n");

        assertThat(task().digest()).isNotEqualTo(before);
    }
}
