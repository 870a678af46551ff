package dev.tmax.tasks.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tmax.sandboxes.RootFileSystems;
import dev.tmax.sandboxes.verify.Outcome;
import dev.tmax.tasks.Task;
import dev.tmax.tasks.TaskFormat;
import dev.tmax.tasks.TaskSet;
import dev.tmax.tasks.WrittenTask;
import dev.tmax.tasks.trial.TaskCheck.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Trials in real cells on this machine. */
class TrialTest {
    private static final String ENVIRONMENT = "[environment]\ndocker_image = \"debian\"\nworkdir = \"/work\"\n";
    private static final String TWO = "[[steps]]\nname = \"one\"\n[[steps]]\nname = \"two\"\n";
    private static final String FIVE =
            "#!/bin/bash\n[ \"$(cat n)\" = 5 ] && r=1 || r=0\necho $r >/logs/verifier/reward.txt\n";

    private static FolderHosts hosts;

    @TempDir
    Path root;

    private WrittenTask written;

    @BeforeAll
    static void open(@TempDir Path state) throws IOException {
        hosts = FolderHosts.open(RootFileSystems.DEBIAN.folder(), state, Duration.ofSeconds(2));
    }

    @AfterAll
    static void close() {
        hosts.close();
    }

    @BeforeEach
    void writeATask() {
        written = WrittenTask.in(root.resolve("task"))
                .with("task.toml", ENVIRONMENT)
                .with("tests/test.sh", FIVE)
                .with("solution/solve.sh", "#!/bin/bash\necho 5 >n\n");
    }

    private Task task() {
        var set = TaskSet.load(written.folder(), TaskFormat.AUTO);
        assertThat(set.invalid()).isEmpty();
        return set.tasks().getFirst();
    }

    private TrialResult run(TrialAgent agent) throws Exception {
        TrialResult result = new Trial(hosts, NetworkPolicy.DENY).run(task(), agent);
        assertThat(hosts.of(task().environment()).sandbox().cells()).isEmpty();
        return result;
    }

    private TrialResult oracle() throws Exception {
        return run(new TrialAgent.Oracle());
    }

    private TaskCheck check() throws InterruptedException {
        return TaskCheck.of(task(), new Trial(hosts, NetworkPolicy.DENY));
    }

    private WrittenTask writtenSteps(String toml) {
        return written.with("task.toml", toml + ENVIRONMENT + TWO)
                .with("steps/one/instruction.md", "Write 5.")
                .with("steps/two/instruction.md", "Write 6.")
                .with("steps/two/tests/test.sh", FIVE.replace("= 5", "= 6"))
                .with("steps/two/solution/solve.sh", "#!/bin/bash\necho $(($(cat n) + 1)) >n\n");
    }

    @Test
    void theSolutionIsRewardedAndDoingNothingIsNot() throws Exception {
        assertThat(oracle().reward()).hasValue(1);
        assertThat(run(new TrialAgent.NoOp()).reward()).hasValue(0);
        assertThat(run(new TrialAgent.Script("echo 5 >n")).reward()).hasValue(1);
        assertThat(check().verdict()).isEqualTo(Verdict.USABLE);
    }

    @Test
    void filesOfTheEnvironmentAndVariablesOfTheSolutionAreThere() throws Exception {
        written.with("task.toml", ENVIRONMENT + "env = { A = \"1\" }\n[solution]\nenv = { B = \"it's 4\" }\n")
                .with("environment/add.txt", "0")
                .with("solution/solve.sh", "#!/bin/bash\necho $(($A + ${B##* } + $(cat add.txt))) >n\n");
        assertThat(oracle().reward()).hasValue(1);
    }

    @Test
    void aSolutionThatFailsIsVerifiedAllTheSame() throws Exception {
        written.with("solution/solve.sh", "#!/bin/bash\necho 5 >n\necho gone wrong >&2\nexit 3\n");

        StepResult step = oracle().steps().getFirst();

        assertThat(step.reward()).hasValue(1);
        assertThat(step.agentNote()).isEqualTo("exit status 3");
        assertThat(step.agentOutput()).isEqualTo("gone wrong\n");
    }

    @Test
    void aSolutionIsEndedAtTheAgentsTimeout() throws Exception {
        written.with("task.toml", ENVIRONMENT + "[agent]\ntimeout_sec = 3\n")
                .with("solution/solve.sh", "#!/bin/bash\necho 5 >n\nsleep 600\n");

        StepResult step = oracle().steps().getFirst();

        assertThat(step.reward()).hasValue(1);
        assertThat(step.agentNote()).contains("timeout");
    }

    @Test
    void stepsFollowOneAnotherOnTheSameFiles() throws Exception {
        writtenSteps("");

        TrialResult result = oracle();

        assertThat(result.steps()).extracting(StepResult::step).containsExactly("one", "two");
        assertThat(result.steps())
                .extracting(StepResult::reward)
                .allSatisfy(reward -> assertThat(reward).hasValue(1));
        assertThat(result.reward()).hasValue(1);
        assertThat(run(new TrialAgent.NoOp()).reward()).hasValue(0);
    }

    @Test
    void theRewardIsTheMeanOfTheStepsOrThatOfTheLast() throws Exception {
        writtenSteps("").with("steps/two/solution/solve.sh", "#!/bin/bash\ntrue\n");
        assertThat(oracle().reward()).hasValue(0.5);

        writtenSteps("multi_step_reward_strategy = \"final\"\n")
                .with("steps/two/solution/solve.sh", "#!/bin/bash\ntrue\n");
        assertThat(oracle().reward()).hasValue(0);
    }

    @Test
    void aStepBelowItsLeastRewardIsTheLast() throws Exception {
        writtenSteps("")
                .with(
                        "task.toml",
                        ENVIRONMENT + "[[steps]]\nname = \"one\"\nmin_reward = 0.5\n[[steps]]\nname = \"two\"\n");

        TrialResult result = run(new TrialAgent.NoOp());

        assertThat(result.steps()).extracting(StepResult::step).containsExactly("one");
        assertThat(result.reward()).hasValue(0);
        assertThat(oracle().steps()).hasSize(2);
    }

    @Test
    void aStepBringsFilesAndASetup() throws Exception {
        writtenSteps("")
                .with("steps/two/workdir/data/add.txt", "1")
                .with("steps/two/workdir/setup.sh", "[ ! -e /tests ] && mv data/add.txt added.txt\n")
                .with("steps/two/solution/solve.sh", "#!/bin/bash\necho $(($(cat n) + $(cat added.txt))) >n\n");
        assertThat(oracle().reward()).hasValue(1);
    }

    @Test
    void aSetupThatFailsIsNamedAndEndsTheTask() throws Exception {
        writtenSteps("").with("steps/one/workdir/setup.sh", "echo no such thing; exit 4\n");

        TrialResult result = oracle();

        assertThat(result.steps()).hasSize(1);
        assertThat(result.outcome())
                .isInstanceOfSatisfying(
                        Outcome.VerifierFailed.class,
                        failed -> assertThat(failed.reason())
                                .isEqualTo("steps/one/workdir/setup.sh ended with status 4: no such thing"));
    }

    @Test
    void aHealthCheckIsTriedUntilItSucceeds() throws Exception {
        written.with(
                "task.toml",
                ENVIRONMENT + "[environment.healthcheck]\ncommand = \"echo x >>/tries; [ $(wc -l </tries) = 3 ]\"\n"
                        + "interval_sec = 0\nretries = 3\n");
        assertThat(oracle().reward()).hasValue(1);
    }

    @Test
    void aHealthCheckThatNeverSucceedsEndsTheTask() throws Exception {
        written.with(
                "task.toml",
                ENVIRONMENT
                        + "[environment.healthcheck]\ncommand = \"echo down; false\"\ninterval_sec = 0\nretries = 2\n");
        assertThat(oracle().outcome())
                .isInstanceOfSatisfying(
                        Outcome.VerifierFailed.class,
                        failed -> assertThat(failed.reason()).contains("failed 2 times, at last with status 1: down"));
    }

    @Test
    void collectingCommandsRunBeforeTheTests() throws Exception {
        written.with("task.toml", ENVIRONMENT + "[[verifier.collect]]\ncommand = \"mv five n\"\n")
                .with("solution/solve.sh", "#!/bin/bash\necho 5 >five\n");
        assertThat(oracle().reward()).hasValue(1);
        assertThat(run(new TrialAgent.NoOp()).reward()).hasValue(0);
    }

    @Test
    void aVerifierOfItsOwnSeesNothingButArtifacts() throws Exception {
        written.with(
                        "task.toml",
                        "artifacts = [{source = \"out\", exclude = [\"*.tmp\"]}]\n" + ENVIRONMENT
                                + "[verifier]\nenvironment_mode = \"separate\"\n")
                .with("solution/solve.sh", "#!/bin/bash\nmkdir out; echo 5 | tee n out/n out/n.tmp\n")
                .with(
                        "tests/test.sh",
                        "#!/bin/bash\nr=0; [ \"$(cat out/n)\" = 5 ] && [ ! -e n ] && [ ! -e out/n.tmp ] && r=1\n"
                                + "echo $r >/logs/verifier/reward.txt\n");
        assertThat(oracle().reward()).hasValue(1);
        assertThat(run(new TrialAgent.NoOp()).reward()).hasValue(0);
    }

    @Test
    void agentAndVerifierWorkAsTheirUsers() throws Exception {
        written.with("task.toml", ENVIRONMENT + "[agent]\nuser = \"daemon\"\n[verifier]\nuser = \"nobody\"\n")
                .with("solution/solve.sh", "#!/bin/bash\nid -un >/tmp/who\n")
                .with(
                        "tests/test.sh",
                        "#!/bin/bash\n[ \"$(cat /tmp/who) $(id -un)\" = \"daemon nobody\" ] && r=1 || r=0\n"
                                + "echo $r >/logs/verifier/reward.txt\n");
        assertThat(oracle().reward()).hasValue(1);
    }

    @Test
    void theNetworkIsDeniedWhateverTheTaskSays() throws Exception {
        written.with("task.toml", ENVIRONMENT + "network_mode = \"public\"\n")
                .with(
                        "solution/solve.sh",
                        "#!/bin/bash\n[ $(tail -n +3 /proc/net/dev | cut -d: -f1) = lo ] && echo 5 >n\n");
        assertThat(oracle().reward()).hasValue(1);
    }

    @Test
    void aTaskThatRewardsDoingNothingIsUnusable() throws Exception {
        written.with("tests/test.sh", "#!/bin/bash\necho 1 >/logs/verifier/reward.txt\n");
        assertThat(check().verdict()).isEqualTo(Verdict.UNUSABLE);
        assertThat(check().reason()).isEqualTo("an attempt that does nothing gets the whole reward");
    }

    @Test
    void aTaskWhoseTestsNeedTheNetworkIsUnusableAndTheirLastWordsSayWhy() throws Exception {
        written.with(
                "tests/test.sh",
                "#!/bin/bash\ncurl -LsSf https://example.org/install.sh | sh\npytest; [ $? = 0 ] && r=1 || r=0\n"
                        + "echo $r >/logs/verifier/reward.txt\n");
        assertThat(check().verdict()).isEqualTo(Verdict.UNUSABLE);
        assertThat(check().reason())
                .contains("the reference solution does not get the whole reward: reward 0.0")
                .contains("pytest: command not found");
    }

    @Test
    void aTaskWithoutARewardForDoingNothingIsUnusable() throws Exception {
        written.with("tests/test.sh", "#!/bin/bash\nset -e\n[ -e n ]\necho 1 >/logs/verifier/reward.txt\n");
        assertThat(check().verdict()).isEqualTo(Verdict.UNUSABLE);
        assertThat(check().reason()).contains("wrote neither /logs/verifier/reward.json");
    }

    @Test
    void aTaskWithoutASolutionIsUnproven() throws Exception {
        written.without("solution/solve.sh");
        assertThat(check().verdict()).isEqualTo(Verdict.UNPROVEN);
        assertThat(check().noOp()).hasValue(0);
    }
}
