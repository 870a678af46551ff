package dev.tmax.e2e.apiserver;

import dev.tmax.operator.ApiServerConnection;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A real etcd, kube-apiserver and kube-controller-manager on free loopback ports, with our CRDs. There is no kubelet and no
 * node: what a kubelet would do, the tests do.
 */
final class ApiServer implements AutoCloseable {

    private static final String TOKEN = "api-server-tests";
    private static final Path CRDS = Path.of("../../crds/src/main/crds");

    private final Path folder;
    private final Process etcd;
    private final Process server;
    private Process controllers;
    private final Config config;

    ApiServer() throws IOException {
        Path programs = programs();
        folder = Files.createTempDirectory("tmax-api-server");
        int etcdPort = freePort();
        int peerPort = freePort();
        int port = freePort();
        etcd = start(
                "etcd",
                programs.resolve("etcd").toString(),
                "--data-dir=" + folder.resolve("etcd"),
                "--listen-client-urls=http://127.0.0.1:" + etcdPort,
                "--advertise-client-urls=http://127.0.0.1:" + etcdPort,
                "--listen-peer-urls=http://127.0.0.1:" + peerPort,
                "--unsafe-no-fsync=true");
        Path keys = writeServiceAccountKey();
        Files.writeString(folder.resolve("tokens.csv"), TOKEN + ",tests,tests,system:masters\n");
        server = start(
                "kube-apiserver",
                programs.resolve("kube-apiserver").toString(),
                "--etcd-servers=http://127.0.0.1:" + etcdPort,
                "--bind-address=127.0.0.1",
                "--secure-port=" + port,
                "--cert-dir=" + folder.resolve("certificates"),
                "--service-account-key-file=" + keys,
                "--service-account-signing-key-file=" + keys,
                "--service-account-issuer=https://kubernetes.default.svc",
                "--token-auth-file=" + folder.resolve("tokens.csv"),
                "--authorization-mode=RBAC",
                "--service-cluster-ip-range=10.0.0.0/16");
        config = new ConfigBuilder(Config.empty())
                .withMasterUrl("https://127.0.0.1:" + port)
                .withTrustCerts(true)
                .withDisableHostnameVerification(true)
                .withOauthToken(TOKEN)
                .withNamespace("default")
                .build();
        try (KubernetesClient client = client()) {
            awaitReady(client);
            startControllers(programs, keys, port);
            installCrds(client);
            for (String namespace : List.of(Cluster.SANDBOX_NAMESPACE, Cluster.OPERATOR_NAMESPACE)) {
                client.resource(namespace(namespace)).create();
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Once the API server is healthy: controllers that find none for ten seconds end. */
    private void startControllers(Path programs, Path keys, int port) throws IOException {
        controllers = start(
                "kube-controller-manager",
                programs.resolve("kube-controller-manager").toString(),
                "--kubeconfig=" + writeKubeconfig(port),
                "--service-account-private-key-file=" + keys,
                "--leader-elect=false",
                "--secure-port=0",
                "--controllers=statefulset-controller,job-controller,garbage-collector-controller,namespace-controller,"
                        + "resourcequota-controller,serviceaccount-controller,disruption-controller,"
                        + "persistentvolumeclaim-protection-controller");
    }

    KubernetesClient client() {
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    /** A client of the operator's manners that reaches the API server at an address in front of it. */
    KubernetesClient operatorClient(String url) {
        return ApiServerConnection.open(
                new ConfigBuilder(config).withMasterUrl(url).build());
    }

    URI address() {
        return URI.create(config.getMasterUrl());
    }

    static Namespace namespace(String name) {
        return new NamespaceBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .build();
    }

    private static Path programs() {
        String folder = Optional.ofNullable(System.getenv("TMAX_BIN"))
                .orElseThrow(() -> new IllegalStateException(
                        "TMAX_BIN is not set: run `make test-api-server`, or `source dev/env.sh` after"
                                + " `dev/binaries/build.sh etcd kube-apiserver kube-controller-manager`"));
        for (String program : List.of("etcd", "kube-apiserver", "kube-controller-manager")) {
            if (!Files.isExecutable(Path.of(folder, program))) {
                throw new IllegalStateException(folder + " has no " + program
                        + ": run `dev/binaries/build.sh etcd kube-apiserver kube-controller-manager`");
            }
        }
        return Path.of(folder);
    }

    private Process start(String name, String... command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".log").toFile())
                .start();
        // Nothing is left behind where the tests are interrupted.
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        return process;
    }

    private void awaitReady(KubernetesClient client) {
        Await.until("the API server is ready", Duration.ofSeconds(300), () -> {
            if (!etcd.isAlive() || !server.isAlive()) {
                throw new IllegalStateException("ended while starting:\n" + log("etcd") + log("kube-apiserver"));
            }
            try {
                return "ok".equals(client.raw("/readyz"))
                        && client.namespaces().withName("default").get() != null;
            } catch (KubernetesClientException e) {
                return false;
            }
        });
    }

    private static void installCrds(KubernetesClient client) {
        List<Path> files;
        try (Stream<Path> found = Files.list(CRDS)) {
            files = found.toList();
            for (Path file : files) {
                client.load(Files.newInputStream(file)).serverSideApply();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Await.until(
                "the CRDs are established",
                Duration.ofSeconds(20),
                () -> client.apiextensions().v1().customResourceDefinitions().list().getItems().stream()
                                .filter(crd -> crd.getStatus() != null
                                        && crd.getStatus().getConditions() != null
                                        && crd.getStatus().getConditions().stream()
                                                .anyMatch(c -> "Established".equals(c.getType())
                                                        && "True".equals(c.getStatus())))
                                .count()
                        == files.size());
    }

    private String log(String name) {
        try {
            List<String> lines = Files.readAllLines(folder.resolve(name + ".log"));
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size())) + "\n";
        } catch (IOException e) {
            return name + ": no log\n";
        }
    }

    private Path writeServiceAccountKey() throws IOException {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            KeyPair pair = generator.generateKeyPair();
            return Files.writeString(
                    folder.resolve("service-accounts.pem"),
                    "-----BEGIN PRIVATE KEY-----\n"
                            + Base64.getMimeEncoder(64, new byte[] {'\n'})
                                    .encodeToString(pair.getPrivate().getEncoded())
                            + "\n-----END PRIVATE KEY-----\n");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private Path writeKubeconfig(int port) throws IOException {
        return Files.writeString(folder.resolve("kubeconfig"), """
            apiVersion: v1
            kind: Config
            clusters: [{name: tests, cluster: {server: "https://127.0.0.1:%d", insecure-skip-tls-verify: true}}]
            users: [{name: tests, user: {token: %s}}]
            contexts: [{name: tests, context: {cluster: tests, user: tests}}]
            current-context: tests
            """.formatted(port, TOKEN));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() {
        if (controllers != null) {
            stop(controllers);
        }
        stop(server);
        stop(etcd);
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(java.util.Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void stop(Process process) {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
