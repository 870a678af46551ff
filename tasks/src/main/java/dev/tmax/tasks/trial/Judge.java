package dev.tmax.tasks.trial;

import dev.tmax.sandboxes.SandboxFailure;
import dev.tmax.sandboxes.verify.Outcome;
import dev.tmax.sandboxes.verify.Verification;
import dev.tmax.sandboxes.verify.VerifierRequest;
import dev.tmax.tasks.Artifact;
import dev.tmax.tasks.CollectCommand;
import dev.tmax.tasks.Environment;
import dev.tmax.tasks.Step;
import dev.tmax.tasks.Verifier;
import dev.tmax.tasks.Verifier.Separate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Lets the tests of a step judge what the agent left. */
final class Judge {
    private static final long MOST_ARTIFACT_BYTES = 256L << 20;
    private static final long MOST_TEST_BYTES = 64L << 20;

    private final Hosts hosts;
    private final NetworkPolicy policy;

    Judge(Hosts hosts, NetworkPolicy policy) {
        this.hosts = hosts;
        this.policy = policy;
    }

    Outcome judge(Workplace attempt, Environment environment, Step step) throws SandboxFailure, NoHostException {
        Verifier verifier = step.verifier();
        for (CollectCommand collect : verifier.collect()) {
            attempt.execute(
                    List.of("bash", "-c", collect.command()), collect.user().orElse(attempt.user()), collect.timeout());
        }
        return verifier.separate().isPresent()
                ? separate(attempt, verifier.separate().get(), step)
                : Verification.fresh(
                        attempt.sandbox(),
                        attempt.cell(),
                        request(attempt, environment, step, step.files().tests()));
    }

    /** In a cell that has nothing of the attempt but its artifacts. */
    private Outcome separate(Workplace attempt, Separate separate, Step step) throws SandboxFailure, NoHostException {
        Host host = hosts.of(separate.environment());
        Workplace clean = new Workplace(
                host,
                separate.environment(),
                attempt.cell() + ".clean",
                step.verifier().user());
        try {
            clean.create(
                    Optional.empty(),
                    policy.of(separate.environment(), step.verifier().network()));
            for (Artifact artifact : artifacts(step)) {
                copy(artifact, attempt, clean);
            }
            byte[] tests = separate.bundlesTests()
                    ? ArchiveEntries.below(
                            host.sandbox().getFiles(clean.cell(), List.of("/tests"), MOST_TEST_BYTES), "tests/")
                    : step.files().tests();
            return Verification.fresh(
                    host.sandbox(), clean.cell(), request(clean, separate.environment(), step, tests));
        } finally {
            host.sandbox().deleteCell(clean.cell());
        }
    }

    private static List<Artifact> artifacts(Step step) {
        List<Artifact> artifacts = new ArrayList<>(step.artifacts());
        artifacts.addFirst(new Artifact("/logs/artifacts", List.of()));
        return artifacts;
    }

    /** One that is missing is no error: the tests see that it is. */
    private static void copy(Artifact artifact, Workplace from, Workplace to) throws SandboxFailure {
        String source = artifact.source().startsWith("/")
                ? artifact.source()
                : from.workdir().replaceAll("/$", "") + "/" + artifact.source();
        try {
            byte[] tar = from.sandbox().getFiles(from.cell(), List.of(source), MOST_ARTIFACT_BYTES);
            to.put("/", ArchiveEntries.without(tar, artifact.exclude()));
        } catch (SandboxFailure e) {
            if (e.reason() != SandboxFailure.Reason.NOT_FOUND) {
                throw e;
            }
        }
    }

    private VerifierRequest request(Workplace place, Environment environment, Step step, byte[] tests) {
        Map<String, String> variables =
                Workplace.joined(place.variables(), step.verifier().variables());
        return new VerifierRequest(
                tests,
                step.verifier().timeout(),
                step.verifier().user().orElse(place.imageUser()),
                place.workdir(),
                variables,
                policy.of(environment, step.verifier().network()),
                place.limits(),
                Map.of());
    }
}
