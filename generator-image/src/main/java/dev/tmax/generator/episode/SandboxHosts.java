package dev.tmax.generator.episode;

import dev.tmax.sandboxes.Sandbox;
import dev.tmax.sandboxes.remote.RemoteSandbox;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.Optional;

/** The hosts of cells that the trainer names in its assignments. Thread-safe. */
public final class SandboxHosts implements AutoCloseable {

    private static final String LOCAL = "local:";

    private final HttpClient client = RemoteSandbox.newHttpClient();
    private final Optional<Sandbox> local;

    /** @param local cells on this machine, closed with this; empty where there are only pods */
    public SandboxHosts(Optional<Sandbox> local) {
        this.local = local;
    }

    /**
     * The host of an assignment; not to be closed.
     *
     * @throws IllegalArgumentException where the address is of no kind that is known here
     */
    Sandbox host(dev.tmax.contracts.rollout.Sandbox sandbox) {
        if (sandbox.getUrl().equals(LOCAL)) {
            return local.orElseThrow(() -> new IllegalArgumentException(
                    "the trainer wants cells on this machine, but sandboxes.backend here is not LOCAL"));
        }
        return new RemoteSandbox(client, URI.create(sandbox.getUrl()), sandbox.getToken());
    }

    @Override
    public void close() {
        local.ifPresent(Sandbox::close);
        client.shutdownNow();
    }
}
