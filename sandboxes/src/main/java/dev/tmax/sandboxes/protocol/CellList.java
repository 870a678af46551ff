package dev.tmax.sandboxes.protocol;

import dev.tmax.sandboxes.CellStatus;
import java.time.Duration;
import java.util.List;

/** Answer of {@code GET /v1/cells}. */
public record CellList(List<Cell> cells) {

    /** Fields as in {@link CellStatus}. */
    public record Cell(String id, CellStatus.State state, long ageMs, int commands, int processes, long memoryBytes) {}

    public static CellList of(List<CellStatus> cells) {
        return new CellList(cells.stream()
                .map(cell -> new Cell(
                        cell.id(),
                        cell.state(),
                        cell.age().toMillis(),
                        cell.commands(),
                        cell.processes(),
                        cell.memoryBytes()))
                .toList());
    }

    public List<CellStatus> statuses() {
        return cells.stream()
                .map(cell -> new CellStatus(
                        cell.id(),
                        cell.state(),
                        Duration.ofMillis(cell.ageMs()),
                        cell.commands(),
                        cell.processes(),
                        cell.memoryBytes()))
                .toList();
    }
}
