package dev.tmax.operator.trainer;

import dev.tmax.contracts.status.RunStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the trainers say. Each is asked on a virtual thread of its own, one question at a time, so that a slow one blocks
 * neither a reconcile nor the others.
 */
public final class Trainers implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Trainers.class);
    private static final Duration BETWEEN_POSTS = Duration.ofSeconds(5);

    private final TrainerClient http = new TrainerClient();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("trainer-polls").factory());
    private final Map<String, Report> reportByPod = new ConcurrentHashMap<>();
    private final Set<String> beingAsked = ConcurrentHashMap.newKeySet();
    private final Map<String, Instant> lastPost = new ConcurrentHashMap<>();
    private final TrainerAddress address;
    private final Clock clock;

    /** What a trainer said, and when. */
    public record Report(RunStatus status, Instant at) {}

    /**
     * A trainer to ask.
     *
     * @param onNews called when it says something new, from a virtual thread
     */
    public record Target(Pod pod, Consumer<RunStatus> onNews) {}

    public Trainers(TrainerAddress address, Clock clock) {
        this.address = address;
        this.clock = clock;
    }

    /** Asks the targets of the moment again and again until the returned handle is cancelled. */
    public ScheduledFuture<?> poll(Supplier<Stream<Target>> targets, Duration interval) {
        return timer.scheduleWithFixedDelay(() -> askAll(targets), 0, interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** The newest report of exactly this pod. */
    public Optional<Report> report(Pod pod) {
        return Optional.ofNullable(reportByPod.get(pod.getMetadata().getUid()));
    }

    /** Asks the trainer to finish what it does and write a checkpoint. Repeated calls within seconds are one. */
    public void requestDrain(Pod trainer, String token) {
        post(trainer, "/v1/drain", token);
    }

    /** Asks the trainer for a checkpoint now. Repeated calls within seconds are one. */
    public void requestCheckpoint(Pod trainer, String token) {
        post(trainer, "/v1/checkpoint", token);
    }

    private void askAll(Supplier<Stream<Target>> targets) {
        try {
            var current = targets.get().toList();
            Set<String> uids = current.stream()
                    .map(target -> target.pod().getMetadata().getUid())
                    .collect(Collectors.toSet());
            reportByPod.keySet().retainAll(uids);
            lastPost.keySet().removeIf(key -> !uids.contains(key.substring(0, key.indexOf('/'))));
            current.forEach(this::ask);
        } catch (RuntimeException e) {
            // The timer must live on: the next round tries again.
            LOG.warn("trainers could not be asked", e);
        }
    }

    private void ask(Target target) {
        Optional<URI> uri = address.of(target.pod());
        String uid = target.pod().getMetadata().getUid();
        if (uri.isEmpty() || !beingAsked.add(uid)) {
            return;
        }
        threads.execute(() -> {
            try {
                RunStatus status = http.status(uri.get());
                Report before = reportByPod.put(uid, new Report(status, clock.instant()));
                if (before == null || !before.status().equals(status)) {
                    target.onNews().accept(status);
                }
            } catch (IOException e) {
                LOG.debug("trainer {}: {}", target.pod().getMetadata().getName(), e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                beingAsked.remove(uid);
            }
        });
    }

    private void post(Pod trainer, String path, String token) {
        Optional<URI> uri = address.of(trainer);
        String key = trainer.getMetadata().getUid() + path;
        Instant now = clock.instant();
        Instant last = lastPost.get(key);
        if (uri.isEmpty() || (last != null && last.plus(BETWEEN_POSTS).isAfter(now))) {
            return;
        }
        lastPost.put(key, now);
        threads.execute(() -> {
            try {
                http.post(uri.get(), path, token);
            } catch (IOException e) {
                LOG.warn("trainer {} did not take {}: {}", trainer.getMetadata().getName(), path, e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    @Override
    public void close() {
        timer.shutdownNow();
        threads.shutdownNow();
        http.close();
    }
}
