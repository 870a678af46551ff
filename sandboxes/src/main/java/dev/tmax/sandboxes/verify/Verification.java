package dev.tmax.sandboxes.verify;

import dev.tmax.sandboxes.CellSpec;
import dev.tmax.sandboxes.CommandRequest;
import dev.tmax.sandboxes.CommandResult;
import dev.tmax.sandboxes.ProcessRequest;
import dev.tmax.sandboxes.Sandbox;
import dev.tmax.sandboxes.SandboxFailure;
import dev.tmax.sandboxes.SandboxFailure.Reason;
import dev.tmax.sandboxes.verify.Outcome.InfraFailed;
import dev.tmax.sandboxes.verify.Outcome.Rewarded;
import dev.tmax.sandboxes.verify.Outcome.VerifierFailed;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs a task's tests on what an attempt left behind.
 *
 * <p>Fresh: in a new cell stacked on the attempt's changes. None of the attempt's processes live there, the tests were
 * never where the attempt could see them, and whatever it planted at the paths of tests and reward is removed before they
 * arrive. The steps: stack, clear, upload, run {@code /tests/test.sh}, read the reward, delete.
 */
public final class Verification {

    private static final String TEST = "/tests/test.sh";
    private static final Duration PREPARATION = Duration.ofSeconds(60);

    private Verification() {}

    /**
     * Verifies in a new cell named {@code ATTEMPT.verify}; the attempt's cell is sealed by it and left for the caller to
     * delete.
     */
    public static Outcome fresh(Sandbox sandbox, String attemptCellId, VerifierRequest request) {
        String cell = attemptCellId + ".verify";
        try {
            sandbox.createCell(CellSpec.of(cell)
                    .stackedOn(attemptCellId)
                    .withUser(request.user())
                    .withWorkdir(request.workdir())
                    .withEnvironment(request.environment())
                    .withNetwork(request.network())
                    .withLimits(request.limits())
                    .withRestored(request.restored()));
            return verify(sandbox, cell, request);
        } catch (SandboxFailure e) {
            return new InfraFailed(e.getMessage(), "");
        } finally {
            deleteQuietly(sandbox, cell);
        }
    }

    private static Outcome verify(Sandbox sandbox, String cell, VerifierRequest request) throws SandboxFailure {
        Upload upload;
        try {
            upload = Upload.of(request);
        } catch (IllegalArgumentException e) {
            return new VerifierFailed(e.getMessage(), "");
        }
        CommandResult cleared = sandbox.execute(cell, asRoot(upload.clearing()).withInput(upload.extraFiles()));
        if (cleared.exitCode() != 0) {
            return new VerifierFailed(
                    "what the attempt left at /tests or /logs cannot be replaced: " + cleared.output(), "");
        }
        sandbox.putFiles(cell, "/tests", new ByteArrayInputStream(upload.tests()));
        CommandResult test = sandbox.execute(
                cell,
                new ProcessRequest(
                        List.of(TEST),
                        request.user(),
                        request.workdir(),
                        request.environment(),
                        request.timeout(),
                        CommandRequest.DEFAULT_OUTPUT_LIMIT));
        if (test.timedOut()) {
            return new VerifierFailed(
                    TEST + " did not end within " + request.timeout().toSeconds() + " s", test.output());
        }
        return outcome(sandbox, cell, test);
    }

    /** The exit code is ignored, as Harbor does; the reward file alone counts. */
    private static Outcome outcome(Sandbox sandbox, String cell, CommandResult test) throws SandboxFailure {
        Optional<RewardFile> file = RewardFile.read(sandbox, cell);
        if (file.isEmpty()) {
            return new VerifierFailed(
                    TEST + " ended with status " + test.exitCode() + " and wrote neither " + RewardFile.PATHS
                            + notice(test),
                    test.output());
        }
        try {
            return new Rewarded(file.get().reward(), test.output());
        } catch (InvalidRewardException e) {
            return new VerifierFailed(e.getMessage() + notice(test), test.output());
        }
    }

    private static String notice(CommandResult test) {
        return test.notice().isEmpty() ? "" : " (" + test.notice() + ")";
    }

    private static ProcessRequest asRoot(List<String> arguments) {
        return new ProcessRequest(arguments, "0:0", "/", Map.of(), PREPARATION, CommandRequest.DEFAULT_OUTPUT_LIMIT);
    }

    private static void deleteQuietly(Sandbox sandbox, String cell) {
        try {
            sandbox.deleteCell(cell);
        } catch (SandboxFailure e) {
            if (e.reason() != Reason.INTERRUPTED) {
                System.getLogger(Verification.class.getName())
                        .log(System.Logger.Level.WARNING, "cell {0} is left behind: {1}", cell, e.getMessage());
            }
        }
    }
}
