package dev.tmax.operator.condition;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.PrimaryUpdateAndCacheUtils;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The one way in which a status reaches the API server: nothing where it is as it was, else one patch, and then an Event for
 * each condition that changed. In this order, so that a patch that is refused and repeated makes no Event twice.
 *
 * @param <P> kind of the object
 * @param <S> its status, a value with equality
 */
public final class StatusWriter<P extends CustomResource<?, S>, S> {

    private final ConditionEvents events;
    private final Supplier<P> blank;
    private final Function<S, List<Condition>> conditions;

    /**
     * @param blank an object of the kind without anything
     * @param conditions of a status; may give null for one without
     */
    public StatusWriter(
            KubernetesClient client, Clock clock, Supplier<P> blank, Function<S, List<Condition>> conditions) {
        this.events = new ConditionEvents(client, clock);
        this.blank = blank;
        this.conditions = conditions;
    }

    /** Writes the status where it changed, and asks for another visit after the given time at the latest. */
    public UpdateControl<P> write(P object, S status, Context<P> context, Duration recheck) {
        write(object, status, context);
        return UpdateControl.<P>noUpdate().rescheduleAfter(recheck);
    }

    /** Writes the status where it changed. */
    public void write(P object, S status, Context<P> context) {
        S before = object.getStatus();
        if (Objects.equals(status, before)) {
            return;
        }
        P patch = blank.get();
        patch.getMetadata().setName(object.getMetadata().getName());
        patch.getMetadata().setNamespace(object.getMetadata().getNamespace());
        patch.setStatus(status);
        // Cached, so that the next visit starts from what this one wrote: an end must never be unseen.
        PrimaryUpdateAndCacheUtils.ssaPatchStatusAndCacheResource(object, patch, context);
        events.emit(object, before == null ? null : conditions.apply(before), conditions.apply(status));
    }
}
