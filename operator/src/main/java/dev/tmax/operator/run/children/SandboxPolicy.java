package dev.tmax.operator.run.children;

import dev.tmax.api.v1alpha1.SandboxesSpec;
import dev.tmax.contracts.sandbox.SandboxContract;
import dev.tmax.operator.Labels;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.networking.v1.IPBlock;
import io.fabric8.kubernetes.api.model.networking.v1.IPBlockBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyEgressRule;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyEgressRuleBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeerBuilder;
import java.util.List;
import java.util.Map;

/** Only the run's trainer and generators reach the env-runners, and nothing leaves a sandbox but for what the run allows. */
final class SandboxPolicy {

    /** Where clouds serve a node's credentials. */
    private static final String LINK_LOCAL = "169.254.0.0/16";

    private static final int LINK_LOCAL_PREFIX = 16;

    private SandboxPolicy() {}

    /** @param network null: nothing leaves */
    static NetworkPolicy of(RunNames names, ObjectMeta metadata, SandboxesSpec.Network network) {
        return new NetworkPolicyBuilder()
                .withMetadata(metadata)
                .withNewSpec()
                .withNewPodSelector()
                .withMatchLabels(Map.of(SandboxContract.POOL_LABEL, names.pool()))
                .endPodSelector()
                .withPolicyTypes("Ingress", "Egress")
                .addNewIngress()
                .withFrom(peer(names, Labels.TRAINER), peer(names, Labels.GENERATOR))
                .addNewPort()
                .withProtocol("TCP")
                .withNewPort(SandboxContract.PORT)
                .endPort()
                .endIngress()
                .withEgress(
                        network == null
                                ? List.of()
                                : network.allow().stream()
                                        .map(SandboxPolicy::egress)
                                        .toList())
                .endSpec()
                .build();
    }

    private static NetworkPolicyPeer peer(RunNames names, String component) {
        return new NetworkPolicyPeerBuilder()
                .withNewNamespaceSelector()
                .withMatchLabels(Map.of("kubernetes.io/metadata.name", names.namespace()))
                .endNamespaceSelector()
                .withNewPodSelector()
                .withMatchLabels(names.selector(component))
                .endPodSelector()
                .build();
    }

    private static NetworkPolicyEgressRule egress(SandboxesSpec.Destination destination) {
        IPBlock block = new IPBlockBuilder()
                .withCidr(destination.cidr())
                .withExcept(holdsLinkLocal(destination.cidr()) ? List.of(LINK_LOCAL) : List.of())
                .build();
        NetworkPolicyEgressRuleBuilder rule = new NetworkPolicyEgressRuleBuilder()
                .addNewTo()
                .withIpBlock(block)
                .endTo();
        for (int port : destination.ports()) {
            for (String protocol : List.of("TCP", "UDP")) {
                rule.addNewPort().withProtocol(protocol).withNewPort(port).endPort();
            }
        }
        return rule.build();
    }

    /** Whether link-local addresses are a part of these; an exception that is none is refused by the API server. */
    private static boolean holdsLinkLocal(String cidr) {
        if (cidr.contains(":")) {
            return false;
        }
        int slash = cidr.indexOf('/');
        int prefix = Integer.parseInt(cidr.substring(slash + 1));
        int mask = prefix == 0 ? 0 : -1 << (Integer.SIZE - prefix);
        return prefix < LINK_LOCAL_PREFIX && ((bits(cidr.substring(0, slash)) ^ bits("169.254.0.0")) & mask) == 0;
    }

    private static int bits(String address) {
        int bits = 0;
        for (String part : address.split("\\.")) {
            bits = bits << Byte.SIZE | Integer.parseInt(part);
        }
        return bits;
    }
}
