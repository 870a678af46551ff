package dev.tmax.operator.apply;

import dev.tmax.operator.Hash;
import dev.tmax.operator.Labels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Server-side apply under one field manager. An object that this process has applied with the same content is not applied
 * again for a few minutes: polling a run must not cost a dozen writes. The repetition mends what others changed.
 */
public final class Applier {

    private static final Duration REPEAT_AFTER = Duration.ofMinutes(5);
    private static final PatchContext FORCED = new PatchContext.Builder()
            .withPatchType(PatchType.SERVER_SIDE_APPLY)
            .withFieldManager(Labels.FIELD_MANAGER)
            .withForce(true)
            .build();

    private final KubernetesClient client;
    private final Clock clock;
    private final Map<Key, Applied> applied = new ConcurrentHashMap<>();

    private record Key(String kind, String namespace, String name, String ownerUid) {}

    private record Applied(String hash, Instant at) {}

    public Applier(KubernetesClient client, Clock clock) {
        this.client = client;
        this.clock = clock;
    }

    /**
     * Makes the object as given, unless it was made so recently.
     *
     * @param ownerUid uid of the object that it is made for; an equal object of a later owner is made anew
     */
    public void apply(HasMetadata desired, String ownerUid) {
        Key key = key(desired, ownerUid);
        String hash = Hash.of(Serialization.asJson(desired), 32);
        Applied last = applied.get(key);
        if (last != null
                && last.hash().equals(hash)
                && last.at().plus(REPEAT_AFTER).isAfter(clock.instant())) {
            return;
        }
        applyNow(desired);
        applied.put(key, new Applied(hash, clock.instant()));
    }

    /** Makes the object as given, and gives back what the server has. */
    public <T extends HasMetadata> T applyNow(T desired) {
        return client.resource(desired).patch(FORCED, desired);
    }

    /** Forgets what was applied for an owner that is gone. */
    public void forget(String ownerUid) {
        applied.keySet().removeIf(key -> key.ownerUid().equals(ownerUid));
    }

    private static Key key(HasMetadata object, String ownerUid) {
        return new Key(
                object.getKind(),
                object.getMetadata().getNamespace(),
                object.getMetadata().getName(),
                ownerUid);
    }
}
