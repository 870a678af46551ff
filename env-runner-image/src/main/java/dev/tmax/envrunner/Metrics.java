package dev.tmax.envrunner;

import dev.tmax.sandboxes.CellStatus;
import dev.tmax.sandboxes.CommandResult.Ending;
import dev.tmax.sandboxes.protocol.CommandOutcome;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Counters of this pod, in the text format that Prometheus reads. */
final class Metrics {

    private final Map<Ending, Long> commands = new EnumMap<>(Ending.class);
    private long cellsStarted;
    private double cellStartSeconds;
    private double commandSeconds;

    synchronized void cellStarted(long nanos) {
        cellsStarted++;
        cellStartSeconds += nanos / 1e9;
    }

    synchronized void commandEnded(CommandOutcome outcome) {
        commands.merge(outcome.ending(), 1L, Long::sum);
        commandSeconds += outcome.durationMs() / 1e3;
    }

    synchronized byte[] text(List<CellStatus> cells, Life life) {
        StringBuilder text = new StringBuilder();
        counter(text, "tmax_sandbox_cells_started_total", "Cells made.", cellsStarted);
        counter(text, "tmax_sandbox_cell_start_seconds_total", "Time spent making cells.", cellStartSeconds);
        counter(text, "tmax_sandbox_command_seconds_total", "Time spent in commands.", commandSeconds);
        head(text, "tmax_sandbox_commands_total", "Commands by how they ended.", "counter");
        for (Ending ending : Ending.values()) {
            text.append("tmax_sandbox_commands_total{ending=\"")
                    .append(ending.name().toLowerCase(Locale.ROOT))
                    .append("\"} ")
                    .append(commands.getOrDefault(ending, 0L))
                    .append('\n');
        }
        gauge(text, "tmax_sandbox_cells", "Cells that live now.", cells.size());
        gauge(
                text,
                "tmax_sandbox_cell_memory_bytes",
                "Private memory of all cells' processes.",
                cells.stream().mapToLong(CellStatus::memoryBytes).sum());
        gauge(text, "tmax_sandbox_lease_seconds", "Time left of the lease.", life.leaseSeconds());
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void counter(StringBuilder text, String name, String help, double value) {
        head(text, name, help, "counter");
        text.append(name).append(' ').append(value).append('\n');
    }

    private static void gauge(StringBuilder text, String name, String help, double value) {
        head(text, name, help, "gauge");
        text.append(name).append(' ').append(value).append('\n');
    }

    private static void head(StringBuilder text, String name, String help, String type) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }
}
