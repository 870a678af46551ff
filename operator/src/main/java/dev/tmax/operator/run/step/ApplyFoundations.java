package dev.tmax.operator.run.step;

import dev.tmax.api.v1alpha1.SandboxPool;
import dev.tmax.operator.apply.Applier;
import dev.tmax.operator.run.children.Credentials;
import dev.tmax.operator.run.children.Foundations;
import dev.tmax.operator.run.children.References;
import dev.tmax.operator.run.children.RunNames;
import dev.tmax.operator.run.children.Workloads;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;

/** Makes what pods need before they start: Secret, accounts, Service, policies, the claim, and the SandboxPool. */
public final class ApplyFoundations implements Step {

    private final KubernetesClient client;
    private final Applier applier;
    private final Credentials credentials;

    public ApplyFoundations(KubernetesClient client, Applier applier, Credentials credentials) {
        this.client = client;
        this.applier = applier;
        this.credentials = credentials;
    }

    @Override
    public Progress reconcile(Visit visit) {
        Optional<References> references = visit.references();
        if (references.isEmpty()) {
            return Progress.next();
        }
        RunNames names = visit.names();
        credentials.ensure(visit.run(), names);
        Foundations.inRunNamespace(visit.run(), names).forEach(object -> applier.apply(object, names.uid()));
        if (references.get().checkpoints().ours()) {
            createClaim(visit);
        }
        SandboxPool pool = applyPool(visit);
        Foundations.inSandboxNamespace(visit.run(), names, pool)
                .forEach(object -> applier.apply(object, pool.getMetadata().getUid()));
        return Progress.next();
    }

    /** Created, not applied: a claim's size may be raised by a person, and most of its spec cannot change. */
    private void createClaim(Visit visit) {
        if (visit.seen().trainer().isPresent()) {
            return;
        }
        var claim = Foundations.claim(
                visit.names(), visit.run().getSpec().checkpoints().storage());
        if (client.resource(claim).get() == null) {
            client.resource(claim).create();
        }
    }

    private SandboxPool applyPool(Visit visit) {
        SandboxPool desired = Workloads.pool(visit.run(), visit.names());
        Optional<SandboxPool> seen = visit.seen()
                .pool()
                .filter(pool -> pool.getMetadata().getDeletionTimestamp() == null)
                .filter(pool ->
                        pool.getSpec().runRef().uid().equals(visit.names().uid()));
        if (seen.isEmpty()) {
            return applier.applyNow(desired);
        }
        applier.apply(desired, seen.get().getMetadata().getUid());
        return seen.get();
    }
}
