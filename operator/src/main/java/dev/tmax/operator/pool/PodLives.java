package dev.tmax.operator.pool;

import dev.tmax.operator.pool.PodView.Life;
import io.fabric8.kubernetes.api.model.Pod;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Follows each sandbox pod from look to look: one log line for each change of its life, and how long it took to start. */
final class PodLives {

    private static final Logger LOG = LoggerFactory.getLogger(PodLives.class);

    private final Map<String, Map<String, Life>> lifeByPodByPool = new ConcurrentHashMap<>();
    private final Timer start;

    PodLives(MeterRegistry registry) {
        // Without labels of the run: a histogram of a run that is gone would stay.
        start = Timer.builder("tmax.sandbox.pod.start")
                .description("From the creation of a sandbox pod to its readiness")
                .serviceLevelObjectives(
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(60),
                        Duration.ofMinutes(5))
                .register(registry);
    }

    /** @param poolUid whose pods these all are */
    void observe(String poolUid, List<Pod> pods) {
        Map<String, Life> before = lifeByPodByPool.getOrDefault(poolUid, Map.of());
        Map<String, Life> now = new HashMap<>();
        for (Pod pod : pods) {
            Optional<PodView> view = PodReading.view(pod);
            if (view.isPresent()) {
                Life life = view.get().life();
                String uid = pod.getMetadata().getUid();
                now.put(uid, life);
                follow(pod, view.get(), before.get(uid));
            }
        }
        lifeByPodByPool.put(poolUid, now);
    }

    /** Forgets the pools that are gone. */
    void retain(Set<String> poolUids) {
        lifeByPodByPool.keySet().retainAll(poolUids);
    }

    /** @param before null for a pod that was not seen before: how it came to where it is, nobody has measured */
    private void follow(Pod pod, PodView view, Life before) {
        if (before == null || before == view.life()) {
            return;
        }
        LOG.info(
                "sandbox pod {}: {} -> {}{}",
                view.name(),
                before,
                view.life(),
                view.problem().isEmpty() ? "" : ": " + view.problem());
        if (view.life() == Life.READY) {
            Duration took = Duration.between(Instant.parse(pod.getMetadata().getCreationTimestamp()), view.since());
            start.record(took.isNegative() ? Duration.ZERO : took);
        }
    }
}
