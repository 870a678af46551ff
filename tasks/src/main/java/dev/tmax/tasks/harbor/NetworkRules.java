package dev.tmax.tasks.harbor;

import dev.tmax.tasks.Network;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads {@code network_mode}, {@code allowed_hosts} and the older {@code allow_internet}. */
final class NetworkRules {
    private NetworkRules() {}

    /** What the section says; empty where it says nothing. */
    static Optional<Network> read(Section section) {
        Optional<String> mode = section.word("network_mode");
        Optional<List<String>> hosts = section.list("allowed_hosts");
        if (hosts.isPresent() && !mode.equals(Optional.of("allowlist"))) {
            section.report(
                    "allowed_hosts",
                    "has no effect unless network_mode is allowlist",
                    "add network_mode = \"allowlist\" or leave it out");
        }
        if (mode.isEmpty()) {
            return section.bool("allow_internet").map(allowed -> allowed ? new Network.Public() : new Network.Denied());
        }
        return switch (mode.get()) {
            case "public" -> Optional.of(new Network.Public());
            case "no-network" -> Optional.of(new Network.Denied());
            case "allowlist" -> Optional.of(new Network.AllowList(hosts(section, hosts.orElse(List.of()))));
            default -> {
                section.report("network_mode", "is unknown", "write public, no-network or allowlist");
                yield Optional.empty();
            }
        };
    }

    private static List<String> hosts(Section section, List<String> written) {
        List<String> hosts = new ArrayList<>();
        for (String host : written) {
            Optional<String> allowed = AllowedHost.normalize(host);
            if (allowed.isPresent()) {
                hosts.add(allowed.get());
            } else {
                section.report(
                        "allowed_hosts",
                        "'" + host + "' is no host",
                        "write a host name, *.name, an address or a CIDR block without host bits;"
                                + " no scheme, port or path");
            }
        }
        return hosts;
    }
}
