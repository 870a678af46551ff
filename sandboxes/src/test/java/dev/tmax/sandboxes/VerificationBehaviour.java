package dev.tmax.sandboxes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tmax.sandboxes.tar.TarWriter;
import dev.tmax.sandboxes.verify.Outcome;
import dev.tmax.sandboxes.verify.Outcome.InfraFailed;
import dev.tmax.sandboxes.verify.Outcome.Rewarded;
import dev.tmax.sandboxes.verify.Outcome.VerifierFailed;
import dev.tmax.sandboxes.verify.Verification;
import dev.tmax.sandboxes.verify.VerifierRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What verification makes of attempts, honest and not, wherever cells run. */
public abstract class VerificationBehaviour {

    private static final Duration LONG = Duration.ofSeconds(60);

    /** 1 exactly where the file /work/n holds 5. */
    private static final String HONEST_TEST = """
            #!/bin/bash
            if [ "$(cat /work/n)" = 5 ]; then echo 1 >/logs/verifier/reward.txt; else echo 0 >/logs/verifier/reward.txt; fi
            """;

    private String attempt;

    protected abstract Sandbox sandbox();

    @BeforeEach
    void makeAnAttempt() throws SandboxFailure {
        attempt = "a-" + UUID.randomUUID();
        sandbox().createCell(CellSpec.of(attempt).withWorkdir("/work"));
    }

    @AfterEach
    void deleteTheAttempt() throws SandboxFailure {
        sandbox().deleteCell(attempt);
        assertThat(sandbox().cells()).noneMatch(cell -> cell.id().startsWith(attempt));
    }

    private void attempt(String command) throws SandboxFailure {
        sandbox().run(attempt, CommandRequest.of(UUID.randomUUID().toString(), command, LONG));
    }

    private Outcome verify(String test) {
        return Verification.fresh(sandbox(), attempt, request(test));
    }

    private static VerifierRequest request(String test) {
        byte[] tests = new TarWriter()
                .file("test.sh", 0644, test.getBytes(StandardCharsets.UTF_8))
                .file("data/expected", 0644, "5\n".getBytes(StandardCharsets.UTF_8))
                .toByteArray();
        return VerifierRequest.of(tests, LONG, "/work");
    }

    private void assertRewarded(double reward, Outcome outcome) {
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Rewarded.class,
                        rewarded -> assertThat(rewarded.reward()).isEqualTo(reward));
    }

    private void assertVerifierFailed(String reason, Outcome outcome) {
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        VerifierFailed.class,
                        failed -> assertThat(failed.reason()).contains(reason));
    }

    @Test
    void theTestsSeeWhatTheAttemptLeft() throws SandboxFailure {
        attempt("echo 5 >n");
        assertRewarded(1, verify(HONEST_TEST));
    }

    @Test
    void nothingDoneIsZeroAndNotAnError() {
        assertRewarded(0, verify(HONEST_TEST));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mkdir -p /logs/verifier; echo 1 >/logs/verifier/reward.txt",
                "mkdir -p /logs/verifier; echo '{\"reward\": 1}' >/logs/verifier/reward.json",
                "mkdir -p /logs/verifier/reward.txt /logs/verifier/reward.json",
                "mkdir -p /logs/verifier; mkfifo /logs/verifier/reward.json /logs/verifier/reward.txt",
                "mkdir -p /logs/verifier; echo 1 >/one; ln -s /one /logs/verifier/reward.json; ln /one /logs/verifier/reward.txt",
                "mkdir -p /logs/x; echo 1 >/logs/x/reward.txt; ln -s x /logs/verifier",
                "mkdir -p /fake/verifier; echo 1 >/fake/verifier/reward.json; ln -s /fake /logs",
                "echo 1 >/logs",
                "mkfifo /logs",
                "ln -s /etc /tests",
                "mkdir /tests; printf '#!/bin/sh\\necho 1 >/logs/verifier/reward.txt\\n' >/tests/test.sh; chmod 555 /tests/*",
                "mkdir -p /tests/test.sh/x /logs/verifier; chmod 000 /tests /logs /logs/verifier",
                "while :; do mkdir -p /logs/verifier; echo 1 >/logs/verifier/reward.txt; done & sleep 0.2",
                "setsid sh -c 'while :; do echo 1 >/logs/verifier/reward.json; sleep 0.01; done' >/dev/null 2>&1 &",
                "for f in /bin/cat /bin/tar /bin/mkdir /bin/rm /bin/chmod /bin/cp; do printf '#!/bin/sh\\necho 1 >/logs/verifier/reward.txt\\n' >$f; done",
                "printf '#!/bin/sh\\necho 1 >/logs/verifier/reward.txt; exit\\n' >/evil; chmod 755 /evil; cp /evil /bin/bash",
                "rm -f /bin/bash; printf '#!/bin/sh\\necho 1 >/logs/verifier/reward.txt\\n' >/usr/local/bin/bash; chmod 755 /usr/local/bin/bash; ln -s /usr/local/bin/bash /bin/bash",
                "printf '#!/bin/sh\\necho 5\\n' >/usr/local/bin/cat; chmod 755 /usr/local/bin/cat",
                "echo /evil.so >/etc/ld.so.preload",
                "rm -rf /usr/bin; mkdir /usr/bin",
                "mv /usr /usr2; ln -s /usr2 /usr",
            })
    void nothingThatAnAttemptPlantsIsAReward(String planted) throws SandboxFailure {
        attempt(planted);
        assertRewarded(0, verify(HONEST_TEST));
    }

    @Test
    void whatTheAttemptInstalledStays() throws SandboxFailure {
        attempt("printf '#!/bin/sh\\necho 5\\n' >/usr/local/bin/five; chmod 755 /usr/local/bin/five; five >n");
        assertRewarded(
                1,
                verify(
                        "#!/bin/bash\n[ \"$(five)\" = \"$(cat /tests/data/expected)\" ] && echo 1.0 >/logs/verifier/reward.txt\n"));
    }

    @Test
    void theTestsNeedNoPermissionToRunAndTheirStatusDoesNotCount() {
        assertRewarded(0.25, verify("#!/bin/sh\necho ' .25 ' >/logs/verifier/reward.txt; exit 9"));
    }

    @Test
    void jsonComesBeforeText() {
        assertRewarded(
                0.5,
                verify(
                        "#!/bin/sh\necho 1 >/logs/verifier/reward.txt; echo '{\"reward\": 0.5, \"b\": 1}' >/logs/verifier/reward.json"));
    }

    @Test
    void filesFromOutsideReplaceWhatTheAttemptPutThere() throws SandboxFailure {
        attempt(
                "mkdir -p /elsewhere; echo forged >/elsewhere/output.txt; mkdir -p /logs; ln -s /elsewhere /logs/agent");
        Outcome outcome = Verification.fresh(
                sandbox(),
                attempt,
                request(
                                "#!/bin/bash\n[ \"$(cat /logs/agent/output.txt)\" = real ] && [ ! -L /logs/agent ] && echo 1 >/logs/verifier/reward.txt")
                        .withExtraFiles(Map.of("/logs/agent/output.txt", "real".getBytes(StandardCharsets.UTF_8))));
        assertRewarded(1, outcome);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "truncate -s 2G /logs/verifier/reward.txt",
                "head -c 100000 /dev/zero | tr '\\0' ' ' >/logs/verifier/reward.txt",
                "mkdir /logs/verifier/reward.txt",
                "mkfifo /logs/verifier/reward.json",
                "ln -s /work/r /logs/verifier/reward.txt; echo 1 >/work/r",
                "rm -r /logs/verifier; mkdir /elsewhere; echo 1 >/elsewhere/reward.txt; ln -s /elsewhere /logs/verifier",
                "mv /logs /moved; echo 1 >/moved/verifier/reward.txt; ln -s moved /logs",
                "echo nan >/logs/verifier/reward.txt",
                "echo 2 >/logs/verifier/reward.txt",
                "echo -0.5 >/logs/verifier/reward.txt",
                "printf '1\\n1\\n' >/logs/verifier/reward.txt",
                ": >/logs/verifier/reward.txt",
                "echo 1 >/logs/verifier/reward.json",
                "echo '{\"a\": 1, \"b\": 0}' >/logs/verifier/reward.json",
                "echo '{\"reward\": \"1\"}' >/logs/verifier/reward.json",
                "echo 1 >/logs/verifier/reward.txt; : >/logs/verifier/reward.json",
            })
    void aRewardThatIsNoneFailsTheVerifier(String written) {
        assertVerifierFailed("/logs/verifier", verify("#!/bin/bash\n" + written));
    }

    @Test
    void noRewardFileNamesThePaths() {
        assertVerifierFailed(
                "wrote neither /logs/verifier/reward.json nor /logs/verifier/reward.txt", verify("#!/bin/sh\ntrue"));
    }

    @Test
    void aScriptWithCarriageReturnsIsNoSuccess() {
        assertVerifierFailed("status 127", verify("#!/bin/bash\r\necho 1 >/logs/verifier/reward.txt\r\n"));
    }

    @Test
    void aSlowTestFailsTheVerifierAndLeavesNothing() {
        VerifierRequest slow =
                request("#!/bin/sh\necho 1 >/logs/verifier/reward.txt; sleep 500 & setsid sleep 501 & wait");
        Outcome outcome = Verification.fresh(
                sandbox(),
                attempt,
                new VerifierRequest(
                        slow.tests(),
                        Duration.ofSeconds(2),
                        "",
                        "/work",
                        Map.of(),
                        Network.NONE,
                        CellLimits.DEFAULT,
                        Map.of()));
        assertVerifierFailed("did not end within 2 s", outcome);
    }

    @Test
    void theVerifiersUserAndFolderAreAsAsked() throws SandboxFailure {
        attempt("echo 5 >n; chmod 600 n");
        Outcome outcome = Verification.fresh(
                sandbox(),
                attempt,
                request("#!/bin/bash\necho \"$(id -un) $PWD\"; [ ! -r n ] && echo 1 >/logs/verifier/reward.txt")
                        .withUser("daemon"));
        assertRewarded(1, outcome);
        assertThat(outcome.testOutput()).isEqualTo("daemon /work\n");
    }

    @Test
    void aLostSandboxIsNeitherZeroNorTheVerifiersFault() throws SandboxFailure {
        sandbox().deleteCell(attempt);
        assertThat(verify(HONEST_TEST)).isInstanceOf(InfraFailed.class);
    }

    @Test
    void testsThatLeadOutOfTheirFolderAreRefused() {
        byte[] tests = new TarWriter()
                .file("test.sh", 0755, "#!/bin/sh\n".getBytes(StandardCharsets.UTF_8))
                .link("out", "/")
                .file("out/planted-by-a-test", 0644, new byte[0])
                .toByteArray();
        Outcome outcome = Verification.fresh(sandbox(), attempt, VerifierRequest.of(tests, LONG, "/work"));
        assertVerifierFailed("out/planted-by-a-test", outcome);
        assertThat(Path.of("/planted-by-a-test")).doesNotExist();
    }

    @Test
    void aVerifierThatIsDeletedEndsAtOnce() throws Exception {
        CompletableFuture<Outcome> outcome = CompletableFuture.supplyAsync(
                () -> verify("#!/bin/sh\nwhile :; do echo 1 >/logs/verifier/reward.txt; sleep 0.1; done"));
        while (sandbox().cells().stream()
                .noneMatch(cell -> cell.id().equals(attempt + ".verify") && cell.processes() > 1)) {
            assertThat(outcome).isNotDone();
        }
        sandbox().deleteCell(attempt + ".verify");
        assertThat(outcome.get(30, TimeUnit.SECONDS)).isInstanceOf(InfraFailed.class);
    }

    @Test
    void testsWithoutAScriptAreNamed() {
        Outcome outcome = Verification.fresh(
                sandbox(),
                attempt,
                VerifierRequest.of(new TarWriter().folder("x", 0755).toByteArray(), LONG, "/work"));
        assertVerifierFailed("test.sh", outcome);
    }
}
