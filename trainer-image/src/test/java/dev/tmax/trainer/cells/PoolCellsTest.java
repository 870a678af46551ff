package dev.tmax.trainer.cells;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tmax.contracts.configuration.SandboxSource;
import dev.tmax.contracts.sandbox.SandboxContract;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pods as the watch tells of them, and the lease part of an env-runner over real HTTP. */
@Timeout(60)
class PoolCellsTest {

    private static final byte[] KEY = "a key".getBytes(StandardCharsets.UTF_8);
    /** A loopback address of its own, since the env-runner's port is fixed. */
    private static final String ADDRESS = "127.83.0.1";

    private final BlockingQueue<String> calls = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private volatile int answer = 200;
    private HttpServer envRunner;
    private KubernetesClient client;
    private PoolCells cells;

    @BeforeEach
    void start() throws IOException {
        envRunner = HttpServer.create(new InetSocketAddress(ADDRESS, SandboxContract.PORT), 0);
        envRunner.createContext("/", this::handle);
        envRunner.start();
        // Nothing listens there: the watch is told by the test, and a write of demand that fails is tried again.
        client = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder()
                        .withMasterUrl("http://127.83.0.2:1")
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .build();
        cells = new PoolCells(
                new SandboxSource(SandboxSource.Backend.POOL, "sandboxes", "pool", "/key", null, 4, 2, 1, 3),
                KEY,
                "ns/run",
                client);
        cells.start(new Cells.Listener() {
            @Override
            public void placesFreed() {
                events.add("freed");
            }

            @Override
            public void podLost(String pod, String reason) {
                events.add("lost " + pod + ": " + reason);
            }
        });
    }

    @AfterEach
    void stop() {
        cells.close();
        client.close();
        envRunner.stop(0);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            calls.add(exchange.getRequestURI().getPath() + " "
                    + exchange.getRequestHeaders().getFirst("Authorization") + " "
                    + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(answer, -1);
        }
    }

    private static Pod pod(String name, String uid, String image, boolean ready) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withUid(uid)
                .addToAnnotations(SandboxContract.IMAGE_ANNOTATION, image)
                .endMetadata()
                .withNewStatus()
                .withPhase("Running")
                .withPodIP(ADDRESS)
                .addNewCondition()
                .withType("Ready")
                .withStatus(ready ? "True" : "False")
                .endCondition()
                .endStatus()
                .build();
    }

    private String event() throws InterruptedException {
        return events.poll(30, TimeUnit.SECONDS);
    }

    @Test
    void aPodIsUsedOnceItIsReadyAndItsLeaseIsTaken() throws Exception {
        cells.onAdd(pod("p-0", "1", "image", false));
        assertThat(cells.claim("image")).isEmpty();
        assertThat(cells.counts().warming()).isEqualTo(1);

        cells.onUpdate(null, pod("p-0", "1", "image", true));
        assertThat(event()).isEqualTo("freed");

        String token = SandboxContract.token(KEY, "p-0");
        assertThat(calls.take()).startsWith("/v1/lease Bearer " + token).contains("ns/run", "60000");
        assertThat(cells.claim("image")).contains(new Cells.Place("http://" + ADDRESS + ":8080", token, "p-0"));
        assertThat(cells.claim("another image")).isEmpty();
    }

    @Test
    void aPodHasAsManyPlacesAsItsPoolSays() throws Exception {
        cells.onAdd(pod("p-0", "1", "image", true));
        event();

        Cells.Place first = cells.claim("image").orElseThrow();
        assertThat(cells.claim("image")).isPresent();
        assertThat(cells.claim("image")).isEmpty();
        cells.release(first, false);

        assertThat(cells.claim("image")).contains(first);
    }

    @Test
    void aPodThatHasHostedItsShareIsToldToEndOnceItsLastAttemptHasEnded() throws Exception {
        cells.onAdd(pod("p-0", "1", "image", true));
        event();
        calls.take();
        Cells.Place place = cells.claim("image").orElseThrow();
        cells.release(place, false);
        assertThat(cells.claim("image")).isPresent();
        assertThat(cells.claim("image")).isPresent();

        assertThat(cells.claim("image")).as("a fourth attempt").isEmpty();
        cells.release(place, false);
        assertThat(calls).as("one attempt is still there").isEmpty();
        cells.release(place, false);

        assertThat(calls.poll(30, TimeUnit.SECONDS)).startsWith("/v1/finish ");
        assertThat(cells.claim("image")).isEmpty();
        assertThat(cells.counts().ready()).isZero();
    }

    @Test
    void aPodCloseToItsDeadlineTakesNoMoreAttempts() throws Exception {
        Pod old = pod("p-0", "1", "image", true);
        old.setSpec(new PodSpecBuilder().withActiveDeadlineSeconds(1000L).build());
        old.getStatus().setStartTime(Instant.now().minusSeconds(901).toString());
        cells.onAdd(old);
        event();

        assertThat(cells.claim("image")).isEmpty();
    }

    @Test
    void theEmptiestPodIsTakenFirst() throws Exception {
        cells.onAdd(pod("p-0", "1", "image", true));
        event();
        cells.onAdd(pod("p-1", "2", "image", true));
        event();

        assertThat(cells.claim("image").orElseThrow().pod()).isEqualTo("p-0");
        assertThat(cells.claim("image").orElseThrow().pod()).isEqualTo("p-1");
    }

    @Test
    void whereTheInfrastructureFailedNobodyElseGoesBeforeThePodAnswers() throws Exception {
        cells.onAdd(pod("p-0", "1", "image", true));
        event();
        Cells.Place place = cells.claim("image").orElseThrow();
        calls.clear();

        cells.release(place, true);

        assertThat(calls.take()).startsWith("/v1/heartbeat");
        assertThat(event()).isEqualTo("freed");
        assertThat(cells.claim("image")).contains(place);
    }

    @Test
    void aPodThatIsDeletedOrEndsIsLostWithWhatRunsInIt() throws Exception {
        cells.onAdd(pod("p-0", "1", "image", true));
        event();
        cells.onDelete(pod("p-0", "1", "image", true), false);
        assertThat(event()).isEqualTo("lost p-0: the pod was deleted");

        cells.onAdd(pod("p-1", "2", "image", true));
        event();
        Pod ended = pod("p-1", "2", "image", true);
        ended.getStatus().setPhase("Succeeded");
        cells.onUpdate(null, ended);
        assertThat(event()).isEqualTo("lost p-1: the pod ended");
        assertThat(cells.claim("image")).isEmpty();
    }

    @Test
    void anotherPodOfTheSameNameIsAnotherPod() throws Exception {
        cells.onAdd(pod("p-0", "1", "image", true));
        event();
        Cells.Place old = cells.claim("image").orElseThrow();

        cells.onUpdate(null, pod("p-0", "2", "image", true));

        assertThat(event()).startsWith("lost p-0");
        assertThat(event()).isEqualTo("freed");
        assertThat(cells.claim("image")).isPresent();
        assertThat(cells.claim("image")).isPresent();
        // A late event of the old one changes nothing.
        cells.onDelete(pod("p-0", "1", "image", true), false);
        cells.release(old, false);
        assertThat(cells.counts().leased()).isEqualTo(1);
    }

    @Test
    void aLeaseThatIsRefusedIsAskedForAgain() throws Exception {
        answer = 503;
        cells.onAdd(pod("p-0", "1", "image", true));
        assertThat(calls.poll(30, TimeUnit.SECONDS)).startsWith("/v1/lease");
        answer = 200;

        assertThat(event()).isEqualTo("freed");
        assertThat(cells.claim("image")).isPresent();
    }

    @Test
    void atTheEndEveryPodIsToldThatItIsNeededNoMore() throws Exception {
        cells.onAdd(pod("p-0", "1", "image", true));
        event();
        calls.clear();

        cells.close();

        assertThat(calls.poll(30, TimeUnit.SECONDS)).startsWith("/v1/finish");
        assertThat(cells.claim("image")).isEqualTo(Optional.empty());
    }

    @Test
    void anEntryOfTheDemandHasTheSameNameInEveryStep() {
        assertThat(DemandWriter.entryName("docker.io/a/b:1"))
                .isEqualTo(DemandWriter.entryName("docker.io/a/b:1"))
                .isNotEqualTo(DemandWriter.entryName("docker.io/a/b:2"))
                .matches("[a-z][a-z0-9]*");
    }
}
