package dev.tmax.trainer.cells;

import dev.tmax.contracts.configuration.SandboxSource;
import dev.tmax.contracts.sandbox.SandboxContract;
import dev.tmax.sandboxes.SandboxFailure;
import dev.tmax.sandboxes.remote.RemoteSandbox;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cells in the pods of the run's SandboxPool. Watches the pods, takes the lease of each that becomes ready, keeps it by
 * heartbeats, and hands out its places.
 */
public final class PoolCells implements Cells, ResourceEventHandler<Pod> {

    private static final Logger LOG = LoggerFactory.getLogger(PoolCells.class);
    private static final Duration LEASE_AGAIN = Duration.ofSeconds(2);
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);
    /** Heartbeats in a row that a pod may miss; the lease lapses one later. */
    private static final int MOST_MISSED = 3;

    private final SandboxSource source;
    private final byte[] tokenKey;
    private final String holder;
    private final KubernetesClient client;
    private final HttpClient http = RemoteSandbox.newHttpClient();
    private final DemandWriter demandWriter;
    private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
    private final ScheduledExecutorService heartbeats = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("heartbeats").daemon().factory());
    private final Map<String, Host> hosts = new HashMap<>();
    private SharedIndexInformer<Pod> informer;
    private Listener listener;
    private long cells;
    private long pods;
    private boolean closed;

    /**
     * @param holder of the leases: the run
     * @param tokenKey the pool's key of tokens
     * @param client closed by the caller
     */
    public PoolCells(SandboxSource source, byte[] tokenKey, String holder, KubernetesClient client) {
        this.source = source;
        this.tokenKey = tokenKey.clone();
        this.holder = holder;
        this.client = client;
        this.demandWriter = new DemandWriter(client, source.namespace(), source.pool());
    }

    @Override
    public void start(Listener listener) {
        this.listener = listener;
        informer = client.pods()
                .inNamespace(source.namespace())
                .withLabel(SandboxContract.POOL_LABEL, source.pool())
                .runnableInformer(0);
        informer.addEventHandler(this);
        // An API server that is away for a while ends neither the watch nor the run.
        informer.exceptionHandler((started, failure) -> {
            LOG.warn("watch of sandbox pods in {} failed, trying again: {}", source.namespace(), failure.toString());
            return true;
        });
        informer.start();
        heartbeats.scheduleAtFixedRate(
                this::sendHeartbeats, HEARTBEAT.toSeconds(), HEARTBEAT.toSeconds(), TimeUnit.SECONDS);
    }

    @Override
    public void onAdd(Pod pod) {
        observe(pod);
    }

    @Override
    public void onUpdate(Pod before, Pod pod) {
        observe(pod);
    }

    @Override
    public void onDelete(Pod pod, boolean finalStateUnknown) {
        lose(pod.getMetadata().getName(), pod.getMetadata().getUid(), "the pod was deleted");
    }

    void observe(Pod pod) {
        Optional<PodView> view = PodView.of(pod);
        if (view.isEmpty()) {
            lose(pod.getMetadata().getName(), pod.getMetadata().getUid(), "the pod ended");
            return;
        }
        Host host;
        boolean replaced;
        synchronized (this) {
            Host known = hosts.get(view.get().name());
            replaced = known != null && !known.pod.uid().equals(view.get().uid());
        }
        if (replaced) {
            lose(view.get().name(), null, "the pod was replaced");
        }
        synchronized (this) {
            host = hosts.get(view.get().name());
            if (host == null) {
                pods++;
            }
            if (host == null || host.state == Host.State.WARMING) {
                host = host(view.get());
                hosts.put(view.get().name(), host);
            }
            if (host.state != Host.State.WARMING || view.get().address().isEmpty()) {
                return;
            }
            host.state = Host.State.LEASING;
        }
        Host ready = host;
        calls.execute(() -> lease(ready));
    }

    private Host host(PodView pod) {
        String url = "http://" + pod.address().orElse("unknown") + ":" + SandboxContract.PORT;
        String token = SandboxContract.token(tokenKey, pod.name());
        return new Host(pod, new RemoteSandbox(http, URI.create(url), token), new Place(url, token, pod.name()));
    }

    private void lease(Host host) {
        try {
            host.sandbox.lease(holder, SandboxContract.LEASE);
        } catch (SandboxFailure e) {
            LOG.warn("sandbox {}: no lease yet, again in {}: {}", host.pod.name(), LEASE_AGAIN, e.getMessage());
            leaseLater(host);
            return;
        }
        synchronized (this) {
            if (hosts.get(host.pod.name()) != host) {
                return;
            }
            host.state = Host.State.USABLE;
        }
        LOG.info("sandbox {} leased, image {}", host.pod.name(), host.pod.image());
        listener.placesFreed();
    }

    /** A pod can be ready before the network lets this process through to it. */
    private void leaseLater(Host host) {
        if (!heartbeats.isShutdown()) {
            heartbeats.schedule(
                    () -> {
                        if (present(host)) {
                            calls.execute(() -> lease(host));
                        }
                    },
                    LEASE_AGAIN.toSeconds(),
                    TimeUnit.SECONDS);
        }
    }

    private synchronized boolean present(Host host) {
        return hosts.get(host.pod.name()) == host;
    }

    private void sendHeartbeats() {
        retireWornOut();
        List<Host> due;
        synchronized (this) {
            due = hosts.values().stream()
                    .filter(host -> host.state == Host.State.USABLE || host.state == Host.State.SUSPECT)
                    .filter(host -> !host.heartbeatUnderWay)
                    .toList();
            due.forEach(host -> host.heartbeatUnderWay = true);
        }
        due.forEach(host -> calls.execute(() -> heartbeat(host)));
    }

    private void heartbeat(Host host) {
        try {
            host.sandbox.heartbeat();
            synchronized (this) {
                host.missedHeartbeats = 0;
                host.heartbeatUnderWay = false;
                if (host.state != Host.State.SUSPECT) {
                    return;
                }
                host.state = Host.State.USABLE;
            }
            listener.placesFreed();
        } catch (SandboxFailure e) {
            int missed;
            synchronized (this) {
                missed = ++host.missedHeartbeats;
                host.heartbeatUnderWay = false;
                if (host.state == Host.State.RETIRED) {
                    return;
                }
                host.state = Host.State.SUSPECT;
            }
            LOG.warn("sandbox {}: heartbeat {} missed: {}", host.pod.name(), missed, e.getMessage());
            if (missed >= MOST_MISSED) {
                lose(host.pod.name(), host.pod.uid(), "it no longer answers: " + e.getMessage());
            }
        }
    }

    /** @param uid of the pod that is gone; null for whichever has that name */
    private void lose(String name, String uid, String reason) {
        synchronized (this) {
            Host host = hosts.get(name);
            if (host == null || uid != null && !host.pod.uid().equals(uid)) {
                return;
            }
            hosts.remove(name);
        }
        LOG.info("sandbox {} gone: {}", name, reason);
        listener.podLost(name, reason);
    }

    @Override
    public synchronized Optional<Place> claim(String image) {
        Optional<Host> host = hosts.values().stream()
                .filter(candidate -> candidate.state == Host.State.USABLE
                        && candidate.pod.image().equals(image)
                        && candidate.taken < source.attemptsPerPod()
                        && !isWornOut(candidate))
                .min(Comparator.<Host>comparingInt(candidate -> candidate.taken)
                        .thenComparing(candidate -> candidate.pod.name()));
        host.ifPresent(chosen -> {
            chosen.taken++;
            chosen.hosted++;
            cells++;
        });
        return host.map(chosen -> chosen.place);
    }

    @Override
    public void release(Place place, boolean failed) {
        Host host;
        synchronized (this) {
            host = hosts.get(place.pod());
            if (host == null || !host.place.equals(place)) {
                return;
            }
            host.taken--;
            if (failed && host.state == Host.State.USABLE) {
                host.state = Host.State.SUSPECT;
                host.heartbeatUnderWay = true;
                calls.execute(() -> heartbeat(host));
            }
        }
        retireWornOut();
    }

    private boolean isWornOut(Host host) {
        return host.isWornOut(source.retireAfterAttempts(), Instant.now());
    }

    /** Tells worn-out pods without attempts to end; the pool replaces them. */
    private void retireWornOut() {
        List<Host> worn;
        synchronized (this) {
            worn = hosts.values().stream()
                    .filter(host -> host.state == Host.State.USABLE && host.taken == 0 && isWornOut(host))
                    .toList();
            worn.forEach(host -> host.state = Host.State.RETIRED);
        }
        worn.forEach(host -> {
            LOG.info("sandbox {} retired after {} attempts", host.pod.name(), host.hosted);
            calls.execute(() -> finish(host));
        });
    }

    @Override
    public void demand(List<Demand> demand) {
        demandWriter.want(demand);
    }

    @Override
    public synchronized Counts counts() {
        int warming = 0;
        int ready = 0;
        int leased = 0;
        for (Host host : hosts.values()) {
            if (host.state == Host.State.RETIRED) {
                continue;
            }
            if (host.state == Host.State.WARMING || host.state == Host.State.LEASING) {
                warming++;
            } else if (host.taken == 0) {
                ready++;
            } else {
                leased++;
            }
        }
        return new Counts(warming, ready, leased, cells, pods);
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        heartbeats.shutdownNow();
        if (informer != null) {
            informer.stop();
        }
        demandWriter.clear();
        List<Host> all;
        synchronized (this) {
            all = new ArrayList<>(hosts.values());
            hosts.clear();
        }
        all.stream()
                .filter(host -> host.state != Host.State.WARMING)
                .forEach(host -> calls.execute(() -> finish(host)));
        demandWriter.close();
        calls.shutdown();
        try {
            calls.awaitTermination(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void finish(Host host) {
        try {
            host.sandbox.finish();
        } catch (SandboxFailure e) {
            LOG.info("sandbox {} could not be told to end, its lease will: {}", host.pod.name(), e.getMessage());
        }
    }
}
