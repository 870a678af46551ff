package dev.tmax.tasks.harbor;

import dev.tmax.tasks.HealthCheck;
import java.time.Duration;
import java.util.Optional;

/** Reads the table {@code healthcheck} of an environment or a step. */
final class HealthChecks {
    private HealthChecks() {}

    static Optional<HealthCheck> read(Section owner) {
        return owner.section("healthcheck").map(section -> {
            Optional<String> command = section.word("command");
            if (!section.has("command")) {
                section.report("command", "is missing", "write the command that succeeds once the sandbox is ready");
            }
            return new HealthCheck(
                    command.orElse(""),
                    section.secondsOrZero("interval_sec").orElse(Duration.ofSeconds(5)),
                    section.seconds("timeout_sec").orElse(Duration.ofSeconds(30)),
                    section.secondsOrZero("start_period_sec").orElse(Duration.ZERO),
                    section.secondsOrZero("start_interval_sec").orElse(Duration.ofSeconds(5)),
                    section.count("retries").orElse(3));
        });
    }
}
