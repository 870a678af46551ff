package dev.tmax.sandboxes.verify;

import dev.tmax.sandboxes.CommandRequest;
import dev.tmax.sandboxes.CommandResult;
import dev.tmax.sandboxes.ProcessRequest;
import dev.tmax.sandboxes.Sandbox;
import dev.tmax.sandboxes.SandboxFailure;
import dev.tmax.sandboxes.SandboxFailure.Reason;
import dev.tmax.sandboxes.Upload;
import dev.tmax.sandboxes.VerifierResult;
import dev.tmax.sandboxes.VerifierRun;
import dev.tmax.sandboxes.tar.TarModes;
import dev.tmax.sandboxes.verify.Outcome.InfraFailed;
import dev.tmax.sandboxes.verify.Outcome.Rewarded;
import dev.tmax.sandboxes.verify.Outcome.VerifierFailed;
import java.io.ByteArrayInputStream;
import java.util.List;

/**
 * Runs a task's tests on what an attempt left behind.
 *
 * <p>Fresh: in a new cell stacked on the attempt's changes. None of the attempt's processes live there, the tests were
 * never where the attempt could see them, and the folders of tests and reward are new ones, whatever the attempt planted at
 * their paths. Only a reward that was written in that cell counts.
 */
public final class Verification {

    private static final String TESTS = "/tests";
    private static final String SCRIPT = "test.sh";
    private static final String TEST = TESTS + "/" + SCRIPT;

    private Verification() {}

    /**
     * Verifies in a new cell named {@code ATTEMPT.verify}; the attempt's cell is sealed by it and left for the caller to
     * delete.
     */
    public static Outcome fresh(Sandbox sandbox, String attemptCellId, VerifierRequest request) {
        byte[] tests;
        try {
            tests = TarModes.withExecutable(request.tests(), SCRIPT);
        } catch (IllegalArgumentException e) {
            return new VerifierFailed(e.getMessage(), "");
        }
        try {
            return outcome(sandbox.verify(run(attemptCellId, request, tests)), request);
        } catch (SandboxFailure e) {
            return e.reason() == Reason.BAD_REQUEST
                    ? new VerifierFailed(e.getMessage(), "")
                    : new InfraFailed(e.getMessage(), "");
        }
    }

    private static VerifierRun run(String attempt, VerifierRequest request, byte[] tests) {
        return new VerifierRun(
                attempt + ".verify",
                attempt,
                request.network(),
                request.limits(),
                request.restored(),
                List.of(
                        new Upload(TESTS, 0755, () -> new ByteArrayInputStream(tests)),
                        Upload.empty(RewardFile.FOLDER, 0777)),
                request.extraFiles(),
                new ProcessRequest(
                        List.of(TEST),
                        request.user(),
                        request.workdir(),
                        request.environment(),
                        request.timeout(),
                        CommandRequest.DEFAULT_OUTPUT_LIMIT),
                RewardFile.PATHS,
                RewardFile.MAX_BYTES);
    }

    /** The exit code is ignored, as Harbor does; the reward file alone counts. */
    private static Outcome outcome(VerifierResult result, VerifierRequest request) {
        CommandResult test = result.process();
        if (test.timedOut()) {
            return new VerifierFailed(
                    TEST + " did not end within " + request.timeout().toSeconds() + " s", test.output());
        }
        try {
            return RewardFile.reward(result.files())
                    .<Outcome>map(reward -> new Rewarded(reward, test.output()))
                    .orElseGet(() -> new VerifierFailed(
                            TEST + " ended with status " + test.exitCode() + " and wrote neither "
                                    + String.join(" nor ", RewardFile.PATHS) + notice(test),
                            test.output()));
        } catch (InvalidRewardException e) {
            return new VerifierFailed(e.getMessage() + notice(test), test.output());
        }
    }

    private static String notice(CommandResult test) {
        return test.notice().isEmpty() ? "" : " (" + test.notice() + ")";
    }
}
