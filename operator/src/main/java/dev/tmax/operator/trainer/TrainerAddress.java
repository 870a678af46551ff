package dev.tmax.operator.trainer;

import io.fabric8.kubernetes.api.model.Pod;
import java.net.URI;
import java.util.Optional;

/** Where the HTTP server of a trainer pod is reached. */
@FunctionalInterface
public interface TrainerAddress {

    /** Empty while the pod has no address. */
    Optional<URI> of(Pod trainer);

    /** By the pod's IP: no name server in between, and never another pod than the one that was asked for. */
    static TrainerAddress byPodIp() {
        return pod -> Optional.ofNullable(pod.getStatus().getPodIP())
                .filter(ip -> !ip.isEmpty())
                .map(ip -> URI.create("http://" + (ip.contains(":") ? "[" + ip + "]" : ip) + ":9090"));
    }
}
