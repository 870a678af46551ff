package dev.tmax.tasks.harbor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tmax.tasks.InvalidTask;
import dev.tmax.tasks.Network;
import dev.tmax.tasks.ReadTask;
import dev.tmax.tasks.RewardStrategy;
import dev.tmax.tasks.Step;
import dev.tmax.tasks.Task;
import dev.tmax.tasks.Verifier;
import dev.tmax.tasks.WrittenTask;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HarborStepsTest {
    private static final String TWO = "[[steps]]\nname = \"one\"\n[[steps]]\nname = \"two\"\n";

    @TempDir
    Path root;

    private WrittenTask written;

    @BeforeEach
    void writeATaskOfTwoSteps() {
        written = WrittenTask.in(root.resolve("task"))
                .withToml(TWO)
                .without("instruction.md")
                .with("steps/one/instruction.md", "# canary\n\nFirst.")
                .with("steps/two/instruction.md", "Second.");
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

    private static Map<String, String> content(byte[] tar) throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (TarArchiveInputStream in = new TarArchiveInputStream(new ByteArrayInputStream(tar))) {
            for (TarArchiveEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                assertThat(files.put(entry.getName(), new String(in.readAllBytes(), StandardCharsets.UTF_8)))
                        .as("second entry of the name %s", entry.getName())
                        .isNull();
            }
        }
        return files;
    }

    @Test
    void eachStepHasItsInstructionAndNoneOfTheTaskIsNeeded() {
        assertThat(task().steps()).extracting(Step::name).containsExactly("one", "two");
        assertThat(task().steps()).extracting(Step::instruction).containsExactly("First.", "Second.");
        assertThat(task().instruction()).isEqualTo("First.\n\nSecond.");
        assertThat(task().rewardStrategy()).isEqualTo(RewardStrategy.MEAN);
        assertThat(task().demands()).containsExactly("steps");
    }

    @Test
    void aStepInheritsTheAgentAndTheVerifiersUserButNotTheVerifiersTimeout() {
        written.withToml("""
                [agent]
                timeout_sec = 100
                user = "solver"
                network_mode = "no-network"
                [verifier]
                timeout_sec = 30
                user = "judge"
                env = { A = "task", B = "task" }
                """ + TWO + """
                [steps.agent]
                timeout_sec = 5
                user = "other"
                [steps.verifier]
                timeout_sec = 7
                env = { B = "step" }
                """);

        Step one = task().steps().getFirst();
        Step two = task().steps().getLast();

        assertThat(one.agent().timeout()).contains(Duration.ofSeconds(100));
        assertThat(one.agent().user()).contains("solver");
        assertThat(one.agent().network()).contains(new Network.Denied());
        assertThat(one.verifier().timeout()).isEqualTo(Duration.ofSeconds(600));
        assertThat(one.verifier().user()).contains("judge");
        assertThat(two.agent().timeout()).contains(Duration.ofSeconds(5));
        assertThat(two.agent().user()).contains("other");
        assertThat(two.verifier().timeout()).isEqualTo(Duration.ofSeconds(7));
        assertThat(two.verifier().user()).contains("judge");
        assertThat(two.verifier().variables()).isEqualTo(Map.of("A", "task", "B", "step"));
    }

    @Test
    void theTestsOfAStepLieOverThoseOfTheTask() throws IOException {
        written.with("tests/shared.txt", "shared")
                .with("tests/data/case.txt", "of the task")
                .with("steps/two/tests/test.sh", "#!/bin/sh\n")
                .with("steps/two/tests/data/case.txt", "of the step");

        assertThat(content(task().steps().getFirst().files().tests()))
                .containsEntry("data/case.txt", "of the task")
                .containsEntry("shared.txt", "shared");
        assertThat(content(task().steps().getLast().files().tests()))
                .containsEntry("test.sh", "#!/bin/sh\n")
                .containsEntry("data/case.txt", "of the step")
                .containsEntry("shared.txt", "shared");
    }

    @Test
    void aStepBringsItsOwnFilesSetupAndSolution() throws IOException {
        written.with("solution/solve.sh", "#!/bin/sh\n# of the task\n")
                .with("steps/two/solution/solve.sh", "#!/bin/sh\n# of the step\n")
                .with("steps/two/workdir/setup.sh", "touch ready\n");

        Step one = task().steps().getFirst();
        Step two = task().steps().getLast();

        assertThat(content(one.files().solution().orElseThrow()).get("solve.sh"))
                .contains("of the task");
        assertThat(content(two.files().solution().orElseThrow()).get("solve.sh"))
                .contains("of the step");
        assertThat(one.files().hasSetup()).isFalse();
        assertThat(two.files().hasSetup()).isTrue();
        assertThat(content(two.files().workdir().orElseThrow())).containsKey("setup.sh");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"min_reward = 0.5 | 0.5", "min_reward = 1 | 1", "min_reward = { reward = 0.25 } | 0.25"})
    void aStepMayNeedAReward(String toml, double needed) {
        written.withToml(TWO + toml + "\n");
        assertThat(task().steps().getLast().minReward()).isEqualTo(OptionalDouble.of(needed));
        assertThat(task().steps().getFirst().minReward()).isEmpty();
    }

    @Test
    void theRewardOfAnotherNameIsReportedByName() {
        written.withToml(TWO + "min_reward = { speed = 0.5 }\n");
        assertThat(reason()).startsWith("task.toml:7:16: steps[1].min_reward.speed = 0.5: rewards other than 'reward'");
    }

    @Test
    void theStrategyIsMeanOrFinal() {
        written.with(
                "task.toml",
                "multi_step_reward_strategy = \"final\"\n[environment]\ndocker_image = \"debian\"\n" + TWO);
        assertThat(task().rewardStrategy()).isEqualTo(RewardStrategy.FINAL);

        written.with(
                "task.toml", "multi_step_reward_strategy = \"best\"\n[environment]\ndocker_image = \"debian\"\n" + TWO);
        assertThat(reason())
                .isEqualTo("task.toml:1:1: multi_step_reward_strategy = \"best\": is unknown; write mean or final");
    }

    @Test
    void everyPartThatIsMissingIsNamed() {
        written.without("steps/two/instruction.md").without("tests/test.sh").withToml(TWO + "[[steps]]\n");
        assertThat(reason().lines())
                .anyMatch(line -> line.startsWith("steps/two/instruction.md: is missing"))
                .anyMatch(line -> line.startsWith("steps/one/tests/test.sh: is missing: there are no tests"))
                .anyMatch(line -> line.startsWith("steps/two/tests/test.sh: is missing"))
                .anyMatch(line -> line.startsWith("task.toml:7:1: steps[2].name: is missing"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b", "..", "a.", "nul", "COM1.txt", "a:b", "a\\tb"})
    void aNameThatIsNoFolderOnEverySystemIsRefused(String name) {
        written.withToml("[[steps]]\nname = \"" + name + "\"\n");
        assertThat(reason()).contains("steps[0].name = ").contains("is no name of a folder on every system");
    }

    @Test
    void namesThatDifferOnlyInCaseAreOneName() {
        written.withToml("[[steps]]\nname = \"one\"\n[[steps]]\nname = \"ONE\"\n");
        assertThat(reason()).contains("steps[1].name = \"ONE\": is the name of another step, 'one'");
    }

    @Test
    void namesMayHaveLettersOfAnyScript() {
        written.withToml("[[steps]]\nname = \"\u00e9tape\"\n").with("steps/\u00e9tape/instruction.md", "Do it.");
        assertThat(task().steps()).extracting(Step::name).containsExactly("\u00e9tape");
    }

    @Test
    void unknownKeysOfStepsAreIgnored() {
        written.withToml(TWO + "inherit_prior_session = true\n");
        assertThat(task().steps()).hasSize(2);
    }

    @Test
    void healthChecksHaveTheFormatsDefaults() {
        written.withToml("[environment.healthcheck]\ncommand = \"test -e /ready\"\nretries = 7\n" + TWO
                + "[steps.healthcheck]\ncommand = \"true\"\nstart_period_sec = 0\ninterval_sec = 0.5\n");

        assertThat(task().environment().healthCheck()).hasValueSatisfying(check -> {
            assertThat(check.command()).isEqualTo("test -e /ready");
            assertThat(check.retries()).isEqualTo(7);
            assertThat(check.interval()).isEqualTo(Duration.ofSeconds(5));
            assertThat(check.timeout()).isEqualTo(Duration.ofSeconds(30));
        });
        assertThat(task().steps().getLast().healthCheck()).hasValueSatisfying(check -> {
            assertThat(check.startPeriod()).isEqualTo(Duration.ZERO);
            assertThat(check.interval()).isEqualTo(Duration.ofMillis(500));
            assertThat(check.retries()).isEqualTo(3);
        });
        assertThat(task().demands()).contains("a health check");
    }

    @Test
    void aHealthCheckWithoutACommandIsAnError() {
        written.withToml("[environment.healthcheck]\nretries = 1\n" + TWO);
        assertThat(reason()).startsWith("task.toml: environment.healthcheck.command: is missing");
    }

    @Test
    void aVerifierWithAnImageOfItsOwnNeedsNoTestsHere() {
        written.withToml("[verifier.environment]\ndocker_image = \"judge\"\n" + TWO)
                .without("tests/test.sh");

        Verifier verifier = task().steps().getFirst().verifier();

        assertThat(verifier.mode()).isEqualTo(Verifier.Mode.SEPARATE);
        assertThat(verifier.separate()).hasValueSatisfying(separate -> {
            assertThat(separate.environment().image()).contains("judge");
            assertThat(separate.bundlesTests()).isTrue();
        });
    }

    @Test
    void aSeparateVerifierWithoutAnImageHasThatOfTheTaskAndTheTestsOfTheTask() {
        written.withToml("[verifier]\nenvironment_mode = \"separate\"\n" + TWO
                + "[steps.verifier]\nenvironment_mode = \"shared\"\n");

        assertThat(task().steps().getFirst().verifier().separate()).hasValueSatisfying(separate -> {
            assertThat(separate.environment().image()).contains("debian");
            assertThat(separate.bundlesTests()).isFalse();
        });
        assertThat(task().steps().getLast().verifier().mode()).isEqualTo(Verifier.Mode.SHARED);
    }

    @Test
    void aSharedVerifierWithAnEnvironmentIsAContradiction() {
        written.withToml("[verifier]\nenvironment_mode = \"shared\"\n[verifier.environment]\ncpus = 1\n" + TWO);
        assertThat(reason()).contains("verifier.environment_mode = \"shared\": contradicts the table environment");
    }

    @Test
    void collectCommandsAreReadAndInherited() {
        written.withToml("[[verifier.collect]]\ncommand = \"pg_dump >/dump\"\ntimeout_sec = 9\nuser = 0\n" + TWO);
        assertThat(task().steps().getLast().verifier().collect())
                .singleElement()
                .satisfies(collect -> {
                    assertThat(collect.command()).isEqualTo("pg_dump >/dump");
                    assertThat(collect.timeout()).isEqualTo(Duration.ofSeconds(9));
                    assertThat(collect.user()).contains("0");
                });
    }

    @Test
    void artifactsOfTaskAndStepAreJoined() {
        written.with(
                "task.toml",
                "artifacts = [\"/out/a\", {source = \"/out/b\", exclude = [\"*.tmp\"]}]\n"
                        + "[environment]\ndocker_image = \"debian\"\n" + TWO + "artifacts = [\"/out/c\"]\n");
        assertThat(task().steps().getFirst().artifacts())
                .extracting(artifact -> artifact.source())
                .containsExactly("/out/a", "/out/b");
        assertThat(task().steps().getLast().artifacts())
                .extracting(artifact -> artifact.source())
                .containsExactly("/out/a", "/out/b", "/out/c");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[\"/out/../etc\"] | leads out by '..'",
                "[{source = \"/a\", destination = \"/b\"}] | artifacts[0].destination = \"/b\": is no relative path",
                "[{source = \"/a\", destination = \"manifest.json\"}] | is no relative path of its own",
                "[{destination = \"b\"}] | artifacts[0].source: is missing",
                "[{source = \"/a\", service = \"db\"}] | artifacts[0].service = \"db\": environments of several",
                "[5] | holds what is neither a string nor a table",
                "\"/a\" | is not a list"
            })
    void artifactsThatCannotBeCollectedAreErrors(String toml, String reason) {
        written.with("task.toml", "artifacts = " + toml + "\n[environment]\ndocker_image = \"debian\"\n" + TWO);
        assertThat(reason()).contains(reason);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "steps/one/instruction.md",
                "steps/two/tests/test.sh",
                "steps/two/workdir/data",
                "steps/one/solution/solve.sh"
            })
    void theDigestChangesWithEveryPartOfAStep(String file) {
        written.with("steps/two/tests/test.sh", "#!/bin/sh\n").with("steps/one/solution/solve.sh", "#!/bin/sh\n");
        String before = task().digest();
        written.with(file, "other\n");
        assertThat(task().digest()).isNotEqualTo(before);
    }
}
