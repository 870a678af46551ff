package dev.tmax.tasks.terminalbench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tmax.sandboxes.RootFileSystems;
import dev.tmax.sandboxes.verify.Outcome;
import dev.tmax.tasks.TaskFormat;
import dev.tmax.tasks.TaskSet;
import dev.tmax.tasks.trial.FolderHosts;
import dev.tmax.tasks.trial.NetworkPolicy;
import dev.tmax.tasks.trial.Trial;
import dev.tmax.tasks.trial.TrialAgent;
import dev.tmax.tasks.trial.TrialResult;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the script around {@code run-tests.sh} makes of its output, in real cells. */
class ReportTest {
    private static final String SUMMARY = "===== short test summary info =====\\n";

    private static FolderHosts hosts;

    @TempDir
    Path root;

    @BeforeAll
    static void open(@TempDir Path state) throws IOException {
        hosts = FolderHosts.open(RootFileSystems.DEBIAN.folder(), state, Duration.ofSeconds(2));
    }

    @AfterAll
    static void close() {
        hosts.close();
    }

    private TrialResult run(String parser, String runTests) throws Exception {
        WrittenTerminalBenchTask written = WrittenTerminalBenchTask.in(root.resolve("task"))
                .with("task.yaml", "instruction: Do it.\ndifficulty: easy\nparser_name: " + parser + "\n")
                .with("run-tests.sh", runTests);
        return new Trial(hosts, NetworkPolicy.DENY)
                .run(TaskSet.load(written.folder(), TaskFormat.AUTO).tasks().getFirst(), new TrialAgent.NoOp());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "pytest | PASSED t.py::a\\nSKIPPED [1] t.py:3: why\\nXFAIL t.py::b - later\\n=== 3 passed === | 1",
                "pytest | PASSED t.py::a\\nFAILED t.py::b - assert 1 == 2 - really\\n | 0",
                "pytest | ERROR t.py - ImportError\\n | 0",
                "pytest | PASSED t.py::a\\nXPASS t.py::b\\n | 0",
                "pytest | FAILED t.py::a - first\\nPASSED t.py::a\\n | 1",
                "pytest | \\033[32mPASSED\\033[0m t.py::a\\r\\n | 1",
            })
    void theSummaryOfPytestIsTheReward(String parser, String lines, double reward) throws Exception {
        TrialResult result =
                run(parser, "printf 'PASSED before::it\\n" + SUMMARY + lines.replace("'", "") + "'\nexit 7\n");
        assertThat(result.reward()).as("%s", result).hasValue(reward);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "swebench | x\\nSWEBench results starts here\\nPASSED\\nSWEBench results ends here\\ny | 1",
                "swebench | SWEBench results starts here\\nFAILED\\nSWEBench results ends here | 0",
                "sweperf | SWE-Perf results starts here PASSED SWE-Perf results ends here | 1",
                "mlebench | MLEBench results starts here\\nALL TESTS PASSED\\nMLEBench results ends here | 1",
                "mlebench | MLEBench results starts here\\nPASSED\\nMLEBench results ends here | 0",
                "swelancer | done: SWE Lancer Success | 1",
                "swelancer | swe lancer failure | 0",
                "swelancer | user_tool has completed | 1",
            })
    void theOtherParsersLookForTheirMarks(String parser, String output, double reward) throws Exception {
        TrialResult result = run(parser, "printf '" + output + "'\n");
        assertThat(result.reward()).as("%s", result).hasValue(reward);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "pytest | echo all good",
                "pytest | printf '===== short test summary info =====\\n=== no tests ran ===\\n'",
                "swebench | echo PASSED",
                "mlebench | echo ALL TESTS PASSED",
                "swelancer | echo nothing",
            })
    void outputWithoutAReportIsNoReward(String parser, String script) throws Exception {
        assertThat(run(parser, script + "\nexit 3\n").outcome())
                .isInstanceOfSatisfying(
                        Outcome.VerifierFailed.class,
                        failed -> assertThat(failed.testOutput())
                                .contains("run-tests.sh ended with status 3 and printed no report that the parser "
                                        + parser + " knows"));
    }

    @Test
    void theScriptFindsItsTestsByTheVariableOfTheFormat() throws Exception {
        String script = "grep -q test_it $TEST_DIR/test_outputs.py && printf '" + SUMMARY + "PASSED t::a\\n'\n";
        assertThat(run("pytest", script).reward()).hasValue(1);
    }
}
