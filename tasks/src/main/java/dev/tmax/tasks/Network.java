package dev.tmax.tasks;

import java.util.List;

/** What a sandbox may reach. */
public sealed interface Network {
    /** Everything that the cluster lets out. */
    record Public() implements Network {}

    /** Nothing, name resolution included. */
    record Denied() implements Network {}

    /**
     * Only these.
     *
     * @param hosts host names, {@code *.host}, addresses or CIDR blocks, in lower case; an empty list allows nothing
     */
    record AllowList(List<String> hosts) implements Network {
        public AllowList {
            hosts = List.copyOf(hosts);
        }
    }
}
