package dev.tmax.operator.run.children;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tmax.api.v1alpha1.SandboxesSpec;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SandboxPolicyTest {

    private static NetworkPolicy policy(SandboxesSpec.Network network) {
        return SandboxPolicy.of(
                new RunNames("research", "run", "01234567-89ab", "tmax-sandboxes"),
                new ObjectMetaBuilder().withName("pool").build(),
                network);
    }

    private static SandboxesSpec.Network allowing(String cidr, Integer... ports) {
        return new SandboxesSpec.Network(List.of(new SandboxesSpec.Destination(cidr, List.of(ports))));
    }

    @Test
    void withoutAllowListNothingLeaves() {
        assertThat(policy(null).getSpec().getPolicyTypes()).contains("Egress");
        assertThat(policy(null).getSpec().getEgress()).isEmpty();
    }

    @Test
    void whatIsAllowedIsAnAddressAndAPort() {
        var rule = policy(allowing("203.0.113.0/24", 53, 443))
                .getSpec()
                .getEgress()
                .getFirst();

        assertThat(rule.getTo())
                .singleElement()
                .satisfies(peer -> assertThat(peer.getIpBlock().getCidr()).isEqualTo("203.0.113.0/24"));
        assertThat(rule.getPorts())
                .extracting(port -> port.getProtocol() + " " + port.getPort().getIntVal())
                .containsExactly("TCP 53", "UDP 53", "TCP 443", "UDP 443");
    }

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0/0, true",
        "160.0.0.0/4, true",
        "169.0.0.0/8, true",
        "168.0.0.0/8, false",
        "10.0.0.0/8, false",
        "203.0.113.0/24, false",
        "::/0, false"
    })
    void theAddressOfTheNodesMetadataIsNeverAllowed(String cidr, boolean holdsIt) {
        var block = policy(allowing(cidr, 80))
                .getSpec()
                .getEgress()
                .getFirst()
                .getTo()
                .getFirst()
                .getIpBlock();

        assertThat(block.getExcept()).isEqualTo(holdsIt ? List.of("169.254.0.0/16") : List.of());
    }
}
