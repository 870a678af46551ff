package dev.tmax.operator.run.step;

import dev.tmax.api.v1alpha1.TrainingRun;
import dev.tmax.operator.run.Observation;
import dev.tmax.operator.run.children.References;
import dev.tmax.operator.run.children.RunNames;
import java.time.Instant;
import java.util.Optional;

/** One walk over the steps for one run: what was seen, and the status that it grows into. */
public final class Visit {

    private final TrainingRun run;
    private final RunNames names;
    private final Observation seen;
    private final StatusDraft status;
    private final Instant now;
    private References references;

    public Visit(TrainingRun run, RunNames names, Observation seen, StatusDraft status, Instant now) {
        this.run = run;
        this.names = names;
        this.seen = seen;
        this.status = status;
        this.now = now;
    }

    public TrainingRun run() {
        return run;
    }

    public RunNames names() {
        return names;
    }

    public Observation seen() {
        return seen;
    }

    public StatusDraft status() {
        return status;
    }

    public Instant now() {
        return now;
    }

    void resolved(References found) {
        this.references = found;
    }

    /** Empty where a reference is missing and the run goes on with the pods that it has. */
    Optional<References> references() {
        return Optional.ofNullable(references);
    }

    boolean finished() {
        return status.conditions().isTrue(StatusDraft.COMPLETE)
                || status.conditions().isTrue(StatusDraft.FAILED);
    }
}
