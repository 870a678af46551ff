package dev.tmax.operator.run.step;

/** One small part of bringing a run to what its spec asks. */
@FunctionalInterface
public interface Step {

    /** Idempotent: the same visit has the same effect however often it is made. */
    Progress reconcile(Visit visit);
}
