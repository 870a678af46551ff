package dev.tmax.operator.run.step;

import dev.tmax.api.v1alpha1.TrainingRun;
import dev.tmax.api.v1alpha1.TrainingRunStatus;
import dev.tmax.api.v1alpha1.TrainingRunStatus.Attempt;
import dev.tmax.api.v1alpha1.TrainingRunStatus.Generators;
import dev.tmax.api.v1alpha1.TrainingRunStatus.Phase;
import dev.tmax.api.v1alpha1.TrainingRunStatus.Progress;
import dev.tmax.api.v1alpha1.TrainingRunStatus.Reward;
import dev.tmax.api.v1alpha1.TrainingRunStatus.Sandboxes;
import dev.tmax.operator.condition.Conditions;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The status of a run while it is being made: starts as it was, and the one place where the phase is derived. */
public final class StatusDraft {

    public static final String READY = "Ready";
    public static final String TRAINER_READY = "TrainerReady";
    public static final String GENERATORS_READY = "GeneratorsReady";
    public static final String SANDBOXES_READY = "SandboxesReady";
    public static final String SUSPENDED = "Suspended";
    public static final String DEGRADED = "Degraded";
    public static final String COMPLETE = "Complete";
    public static final String FAILED = "Failed";

    /** Reasons of TrainerReady=False that tell the phases before Running apart. */
    static final String WAITING = "Waiting";

    /** The trainer's container runs. */
    public static final String LOADING = "Loading";

    private final Conditions conditions;
    private final Long generation;
    String message;
    int step;
    int furthestStep;
    Long policyVersion;
    Progress progress;
    Reward reward;
    Generators generators;
    Sandboxes sandboxes;
    String lastCheckpoint;
    String checkpointClaim;
    List<Attempt> attempts;
    int failures;
    String startTime;
    String completionTime;

    public StatusDraft(TrainingRun run, Clock clock) {
        TrainingRunStatus before = run.getStatus();
        this.generation = run.getMetadata().getGeneration();
        this.conditions = new Conditions(before == null ? null : before.conditions(), generation, clock);
        if (before == null) {
            attempts = new ArrayList<>();
            conditions.set(COMPLETE, false, "NotComplete", "the run has steps to do");
            conditions.set(FAILED, false, "NotFailed", "the run has not failed");
            return;
        }
        step = before.step() == null ? 0 : before.step();
        furthestStep = before.furthestStep() == null ? 0 : before.furthestStep();
        policyVersion = before.policyVersion();
        progress = before.progress();
        reward = before.reward();
        generators = before.generators();
        sandboxes = before.sandboxes();
        lastCheckpoint = before.lastCheckpoint();
        checkpointClaim = before.checkpointClaim();
        attempts = new ArrayList<>(before.attempts() == null ? List.of() : before.attempts());
        failures = before.failures() == null ? 0 : before.failures();
        startTime = before.startTime();
        completionTime = before.completionTime();
    }

    public Conditions conditions() {
        return conditions;
    }

    /** The end, for good. */
    void fail(String reason, String why, Instant now) {
        conditions.set(FAILED, true, reason, why);
        conditions.set(COMPLETE, false, "NotComplete", "the run has failed");
        completionTime = now.truncatedTo(ChronoUnit.SECONDS).toString();
        message = why;
    }

    void succeed(String why, Instant now) {
        conditions.set(COMPLETE, true, "Succeeded", why);
        conditions.set(FAILED, false, "NotFailed", "the run has succeeded");
        completionTime = now.truncatedTo(ChronoUnit.SECONDS).toString();
        message = why;
    }

    /** Phase and message are derived here, from the conditions. */
    public TrainingRunStatus build(boolean suspendWanted) {
        return new TrainingRunStatus(
                phase(suspendWanted),
                message != null ? message : derivedMessage(),
                conditions.list(),
                generation,
                step,
                policyVersion,
                progress,
                reward,
                generators,
                sandboxes,
                lastCheckpoint,
                checkpointClaim,
                attempts.isEmpty() ? null : List.copyOf(attempts),
                failures,
                furthestStep,
                startTime,
                completionTime);
    }

    private Phase phase(boolean suspendWanted) {
        if (conditions.isTrue(FAILED)) {
            return Phase.FAILED;
        }
        if (conditions.isTrue(COMPLETE)) {
            return Phase.SUCCEEDED;
        }
        if (conditions.isTrue(SUSPENDED)) {
            return Phase.SUSPENDED;
        }
        if (suspendWanted) {
            return Phase.SUSPENDING;
        }
        if (conditions.isTrue(TRAINER_READY)) {
            return Phase.RUNNING;
        }
        String reason = conditions.get(TRAINER_READY).map(Condition::getReason).orElse(WAITING);
        return switch (reason) {
            case WAITING -> Phase.PENDING;
            case LOADING -> Phase.STARTING;
            default -> Phase.ADMITTED;
        };
    }

    private String derivedMessage() {
        for (String type : List.of(FAILED, COMPLETE, SUSPENDED)) {
            if (conditions.isTrue(type)) {
                return conditions.get(type).map(Condition::getMessage).orElse(null);
            }
        }
        return Optional.of(READY)
                .flatMap(conditions::get)
                .map(Condition::getMessage)
                .orElse(null);
    }
}
